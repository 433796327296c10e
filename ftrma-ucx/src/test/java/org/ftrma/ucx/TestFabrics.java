package org.ftrma.ucx;

/** Fabrics as tests open them. */
final class TestFabrics {
    private TestFabrics() {
    }

    /** A fabric that lets in each peer by an address of its own. */
    static UcxFabric oneByOne(UcxOptions options) {
        UcxFabric fabric = new UcxFabric(options);
        fabric.letInOneByOne();
        return fabric;
    }
}
