//! `zkria model`: shape of the prediction.

mod common;

use common::Scratch;

#[test]
fn predictions_have_cycles_time_and_resources() {
    let scratch = Scratch::new();
    let answer = scratch
        .zkria("model --log-n 9..10 --mhz 200 --json")
        .ok()
        .json();
    assert_eq!(answer["profile"], "compact");
    let rows = answer["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 2);
    for (row, log_n) in rows.iter().zip([9, 10]) {
        assert_eq!(row["log_n"], log_n);
        let number = |key: &str| row[key].as_f64().expect(key);
        assert!((number("seconds") - number("cycles") / 200e6).abs() < 1e-9);
        // 24 digits a point, nearly all of them non-zero; the last has one bit.
        let digits = number("additions") + number("loads");
        let all = f64::from(24u32 << log_n);
        assert!(digits <= all && digits > 0.96 * all, "{digits} of {all}");
    }
    assert!(rows[0]["cycles"].as_u64() < rows[1]["cycles"].as_u64());
    let (used, budget) = (&answer["resources"]["used"], &answer["resources"]["budget"]);
    for key in ["dsp", "lut", "ff", "uram", "bram36"] {
        let (used, budget) = (
            used[key].as_u64().expect(key),
            budget[key].as_u64().expect(key),
        );
        assert!(used <= budget, "{key}: {used} of {budget}");
    }
    let text = scratch.zkria("model --log-n 9").ok().stdout;
    for word in ["zk_fp_mul_ws", "xck26 has", "share", "cycles/add"] {
        assert!(text.contains(word), "{text}");
    }
}

#[test]
fn what_cannot_be_modelled_is_said() {
    let scratch = Scratch::new();
    scratch
        .zkria("model --profile throughput")
        .fails(4, &["throughput", "compact"]);
    for mhz in ["0", "-1", "inf", "NaN"] {
        scratch
            .run(&["model", "--log-n", "8", &format!("--mhz={mhz}")])
            .fails(2, &["--mhz"]);
    }
}
