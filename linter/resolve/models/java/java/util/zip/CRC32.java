package java.util.zip;

/** Bytes are the text they stand for: `Codes` has the peer that sums it up. */
public class CRC32 {
    private String held = "";

    public void update(byte[] bytes) { held = Codes.joined(held, bytes); }
    public long getValue() { return Codes.crc(held); }
    public void reset() { held = ""; }
}
