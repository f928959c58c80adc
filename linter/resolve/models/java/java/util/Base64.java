package java.util;

/** Bytes are the text they stand for: `Codes` are the peers that change it. */
public class Base64 {
    public static Encoder getEncoder() {
        return new Encoder(false, true);
    }

    public static Encoder getUrlEncoder() {
        return new Encoder(true, true);
    }

    public static Decoder getDecoder() {
        return new Decoder(false);
    }

    public static Decoder getUrlDecoder() {
        return new Decoder(true);
    }

    public static class Encoder {
        private final boolean url;
        private final boolean padded;

        private Encoder(boolean url, boolean padded) {
            this.url = url;
            this.padded = padded;
        }

        public Encoder withoutPadding() {
            return new Encoder(url, false);
        }

        public String encodeToString(byte[] bytes) {
            return Codes.encoded(bytes, url, padded);
        }

        public byte[] encode(byte[] bytes) {
            return Codes.encoded(bytes, url, padded);
        }
    }

    public static class Decoder {
        private final boolean url;

        private Decoder(boolean url) {
            this.url = url;
        }

        public byte[] decode(Object text) {
            return Codes.decoded(text, url);
        }
    }
}
