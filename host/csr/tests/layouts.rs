//! The job and segment layouts, byte for byte: what RTL and kernel module also rely on.

use zkria_csr::regs::{ErrorCode, JOB_BYTES, Job, SEGMENT_BYTES, Segment, Unit, job_status};

#[test]
fn a_job_lies_as_documented() {
    let job = Job {
        points_list: 0x0102_0304_0506_0708,
        scalars_list: 0x1112_1314_1516_1718,
        result_list: 0x2122_2324_2526_2728,
        n: 0x3132_3334,
        first_window: 0x41,
        num_windows: 0x42,
        flags: 0x4344,
        cookie: 0x5152_5354_5556_5758,
        reserved: 0x6162_6364_6566_6768,
        err_addr: 0x7172_7374_7576_7778,
        status: 0x8182_8384,
        detail: 0x9192_9394,
    };
    let bytes = job.encode();
    let expected: [u8; JOB_BYTES] = [
        0x08, 0x07, 0x06, 0x05, 0x04, 0x03, 0x02, 0x01, 0x18, 0x17, 0x16, 0x15, 0x14, 0x13, 0x12,
        0x11, 0x28, 0x27, 0x26, 0x25, 0x24, 0x23, 0x22, 0x21, 0x34, 0x33, 0x32, 0x31, 0x41, 0x42,
        0x44, 0x43, 0x58, 0x57, 0x56, 0x55, 0x54, 0x53, 0x52, 0x51, 0x68, 0x67, 0x66, 0x65, 0x64,
        0x63, 0x62, 0x61, 0x78, 0x77, 0x76, 0x75, 0x74, 0x73, 0x72, 0x71, 0x84, 0x83, 0x82, 0x81,
        0x94, 0x93, 0x92, 0x91,
    ];
    assert_eq!(bytes, expected);
    assert_eq!(Job::decode(&bytes), job);
    assert_eq!(Job::OFFSET_STATUS, 56);
}

#[test]
fn a_segment_lies_as_documented() {
    let segment = Segment {
        address: 0x0008_0706_0504_0302,
        bytes: 0x1213_1415,
        flags: 1,
    };
    let bytes = segment.encode();
    let expected: [u8; SEGMENT_BYTES] =
        [2, 3, 4, 5, 6, 7, 8, 0, 0x15, 0x14, 0x13, 0x12, 1, 0, 0, 0];
    assert_eq!(bytes, expected);
    assert_eq!(Segment::decode(&bytes), segment);
}

#[test]
fn status_words_and_codes_decode() {
    let word = 0xC011_0402;
    assert!(job_status::DONE.is_set(word) && job_status::ERROR.is_set(word));
    assert_eq!(job_status::WINDOW.get(word), 0x11);
    assert_eq!(
        Unit::from_number(job_status::UNIT.get(word)),
        Some(Unit::ScalarsList)
    );
    let code = ErrorCode::from_number(job_status::CODE.get(word)).expect("known");
    assert_eq!(code, ErrorCode::BusDecode);
    assert!(code.words().contains("DECERR"));
    assert_eq!(ErrorCode::from_number(200), None);
}
