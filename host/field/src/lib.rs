//! THE field and point types of zkria: BN254 Fp, Fr, Fp2, G1 and G2 in portable Montgomery arithmetic.
