//! Resources of the engine block by block, from its parameters, beside the XCK26 budget.
//!
//! Each formula counts what the RTL asks for: registers by width, one LUT6 per bit and 4:1
//! multiplexer, LUTRAM by the primitives that Yosys picks (64 x 7 in 8 LUT, 32 x 14 in 8, 256 x 1
//! in 4 plus a 4:1 multiplexer), URAM as two ports of 2048 x 72 each, BRAM36 as 512 x 72. What is left over
//! (control, carry logic) is a constant or a term per lane, set once so that the default engine
//! agrees with `make rtl-report` (Yosys 0.70, `synth_xilinx -family xcup`); the test holds every
//! block to those figures. Yosys packs no LUT pairs, so both are upper bounds, not a placed design.

use crate::msm_top::Config;

/// Bits of a field value.
const FIELD: u32 = 255;
/// Bits of a multiplier word.
const WORD: u32 = 17;

/// Resources of a device or of a part of the design.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Resources {
    /// DSP48E2 slices.
    pub dsp: u32,
    /// LUT6, those used as memory included.
    pub lut: u32,
    /// Flip-flops.
    pub ff: u32,
    /// URAM288.
    pub uram: u32,
    /// 36 Kbit block RAMs.
    pub bram36: u32,
}

/// What the XCK26 of the KR260 has.
pub const XCK26: Resources = Resources {
    dsp: 1248,
    lut: 117_120,
    ff: 234_240,
    uram: 64,
    bram36: 144,
};

impl Resources {
    fn logic(lut: u32, ff: u32) -> Self {
        Self {
            lut,
            ff,
            ..Self::default()
        }
    }

    fn add_copies(self, copies: u32, each: &Self) -> Self {
        Self {
            dsp: self.dsp + copies * each.dsp,
            lut: self.lut + copies * each.lut,
            ff: self.ff + copies * each.ff,
            uram: self.uram + copies * each.uram,
            bram36: self.bram36 + copies * each.bram36,
        }
    }

    /// The largest share of any resource of `budget`: above 1 it does not fit.
    pub fn share_of(&self, budget: &Self) -> f64 {
        let share = |used: u32, there: u32| f64::from(used) / f64::from(there);
        [
            share(self.dsp, budget.dsp),
            share(self.lut, budget.lut),
            share(self.ff, budget.ff),
            share(self.uram, budget.uram),
            share(self.bram36, budget.bram36),
        ]
        .into_iter()
        .fold(0.0, f64::max)
    }
}

/// A module of the RTL without the modules inside it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Block {
    /// Module name.
    pub name: &'static str,
    /// How often it stands in the engine.
    pub copies: u32,
    /// What one takes.
    pub each: Resources,
}

/// The blocks of the engine with parameters `config`.
pub fn blocks(config: &Config) -> Vec<Block> {
    let lanes = config.num_lanes as u32;
    let block = |name, copies, each| Block { name, copies, each };
    vec![
        block("zk_fp_mul_ws", 2 * lanes, fp_mul()),
        block("zk_fp_addsub_ws", lanes, fp_addsub()),
        block("zk_point_add", lanes, point_add(config)),
        block("zk_bucket_bank", lanes, bucket_bank(config)),
        block("zk_bucket_lane", lanes, bucket_lane(config)),
        block("zk_dispatch", 1, dispatch(config)),
        block("zk_readout", 1, readout(config)),
        block(
            "zk_msm_core",
            1,
            Resources::logic(25 + config.window_bits, 8 + config.window_bits),
        ),
        // Address and beat arithmetic: 40-bit addresses, 128-bit data, whatever the engine.
        block("zk_dma_walk", 3, Resources::logic(491, 302)),
        block("zk_dma_rd", 2, Resources::logic(300, 400)),
        block("zk_dma_wr", 1, dma_wr(config)),
        block("zk_job_ctrl", 1, Resources::logic(628, 468)),
        block("zk_axil_regs", 1, Resources::logic(700, 379)),
        // Twelve 48-bit counters and copies.
        block("zk_counters", 1, Resources::logic(38, 12 * 48 + 15)),
        block("zkria_top", 1, Resources::logic(243, 0)),
    ]
}

/// Sum over all copies.
pub fn total(blocks: &[Block]) -> Resources {
    blocks.iter().fold(Resources::default(), |sum, b| {
        sum.add_copies(b.copies, &b.each)
    })
}

/// Four MACs; both operands and the accumulator rotate past them.
fn fp_mul() -> Resources {
    Resources {
        dsp: 4,
        // Load or rotate for two operands; word carries.
        lut: 2 * FIELD + 3 * WORD,
        // Operands, accumulator; products, sums and m of the pipeline.
        ff: 3 * FIELD + 24 * WORD,
        ..Resources::default()
    }
}

/// Two operands and a result, shifted by 32-bit words, with a second pass.
fn fp_addsub() -> Resources {
    Resources::logic(3 * FIELD, 3 * FIELD + 5 * 32 + 16)
}

/// Register file of eight words a context with two read ports, operand registers, contexts.
fn point_add(config: &Config) -> Resources {
    let ctx = config.num_ctx as u32;
    let register_file = 2 * FIELD.div_ceil(14) * 8 * (8 * ctx).div_ceil(32);
    // Write port: five sources; read ports; then instruction, scoreboard, flags of each context.
    Resources::logic(register_file + 3 * FIELD + 46 * ctx, 2 * FIELD + 88 * ctx)
}

fn bucket_bank(config: &Config) -> Resources {
    let depth = 1u32 << config.window_bits;
    Resources {
        // 64 x 1 a LUT, and a 4:1 multiplexer for each 256.
        lut: depth.div_ceil(64) + depth.div_ceil(256),
        // Both ports of a URAM at half depth: 144 bits.
        uram: 3 * FIELD.div_ceil(144) * depth.div_ceil(2048),
        ..Resources::default()
    }
}

/// The operand, tags in flight; multiplexers to the bank (X and Y, Z) and to the adder.
fn bucket_lane(config: &Config) -> Resources {
    let tags = config.window_bits * (config.num_ctx as u32 + 1);
    Resources::logic(3 * FIELD + tags + 80, FIELD + tags + 13)
}

fn dispatch(config: &Config) -> Resources {
    let (lanes, depth) = (config.num_lanes as u32, config.depth as u32);
    let pointer = depth.ilog2() + 1;
    let digits = depth.div_ceil(64) * 8 * config.window_bits.div_ceil(7);
    Resources {
        // Digit memories; the shifter that cuts windows; pointers and the grant of each lane.
        lut: lanes * digits + 330 + 112 * lanes,
        // Scalar, half a point, two counts; digit before and after the read, pointers.
        ff: 256 + 128 + 64 + lanes * (2 * config.window_bits + 2 * pointer + 4),
        bram36: FIELD.div_ceil(72) * (2 * depth).div_ceil(512),
        ..Resources::default()
    }
}

/// One word, chosen among the lanes (4:1 a LUT), gated, halved.
fn readout(config: &Config) -> Resources {
    let mux = FIELD * (config.num_lanes as u32).div_ceil(4);
    Resources::logic(mux + FIELD + 128 + 44, FIELD + 30)
}

/// The FIFO of 128 bits: 32 x 14 in eight LUT up to 32 beats, 64 x 7 beyond.
fn dma_wr(config: &Config) -> Resources {
    let depth = config.write_fifo_beats as u32;
    let memory = if depth <= 32 {
        128u32.div_ceil(14) * 8
    } else {
        128u32.div_ceil(7) * 8 * depth.div_ceil(64)
    };
    Resources::logic(memory + 191, 149)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `make rtl-report` of the default engine: name, copies, DSP, LUT, FF, URAM, BRAM36.
    const YOSYS: [(&str, u32, [u32; 5]); 15] = [
        ("zk_axil_regs", 1, [0, 700, 379, 0, 0]),
        ("zk_bucket_bank", 8, [0, 40, 0, 6, 0]),
        ("zk_bucket_lane", 8, [0, 879, 301, 0, 0]),
        ("zk_counters", 1, [0, 38, 591, 0, 0]),
        ("zk_dispatch", 1, [0, 1739, 799, 0, 4]),
        ("zk_dma_rd", 2, [0, 300, 400, 0, 0]),
        ("zk_dma_walk", 3, [0, 491, 302, 0, 0]),
        ("zk_dma_wr", 1, [0, 343, 149, 0, 0]),
        ("zk_fp_addsub_ws", 8, [0, 753, 941, 0, 0]),
        ("zk_fp_mul_ws", 16, [4, 559, 1166, 0, 0]),
        ("zk_job_ctrl", 1, [0, 628, 468, 0, 0]),
        ("zk_msm_core", 1, [0, 36, 19, 0, 0]),
        ("zk_point_add", 8, [0, 1161, 686, 0, 0]),
        ("zk_readout", 1, [0, 937, 285, 0, 0]),
        ("zkria_top", 1, [0, 243, 0, 0, 0]),
    ];

    #[test]
    fn every_block_is_near_its_synthesis() {
        let blocks = blocks(&Config::default());
        assert_eq!(blocks.len(), YOSYS.len());
        for (name, copies, [dsp, lut, ff, uram, bram36]) in YOSYS {
            let block = blocks.iter().find(|b| b.name == name).expect(name);
            let each = &block.each;
            assert_eq!(block.copies, copies, "{name}");
            assert_eq!(
                (each.dsp, each.uram, each.bram36),
                (dsp, uram, bram36),
                "{name}"
            );
            for (what, got, want) in [("LUT", each.lut, lut), ("FF", each.ff, ff)] {
                let near = got.abs_diff(want) * 50 <= want;
                assert!(near, "{name}: {got} {what}, synthesis {want}");
            }
        }
    }

    #[test]
    fn the_default_engine_fits_in_85_percent() {
        let all = total(&blocks(&Config::default()));
        assert_eq!((all.dsp, all.uram, all.bram36), (64, 48, 4));
        assert!(all.share_of(&XCK26) < 0.85, "{all:?}");
        // Twelve lanes would not: 72 URAM.
        let wide = Config {
            num_lanes: 12,
            ..Config::default()
        };
        assert!(total(&blocks(&wide)).share_of(&XCK26) > 1.0);
    }

    #[test]
    fn memories_follow_their_parameters() {
        let config = Config {
            window_bits: 12,
            depth: 512,
            ..Config::default()
        };
        assert_eq!(bucket_bank(&config).uram, 12);
        assert_eq!(dispatch(&config).bram36, 8);
    }
}
