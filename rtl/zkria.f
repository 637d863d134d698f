pkg/zk_csr_pkg.sv
common/zk_stream_reg.sv
common/zk_fifo.sv
common/zk_ram_sp.sv
common/zk_ram_sdp.sv
