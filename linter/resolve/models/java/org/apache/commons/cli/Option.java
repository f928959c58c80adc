package org.apache.commons.cli;

public class Option {
    final String opt;
    String longOpt;
    boolean required;

    public Option(String opt, String description) {
        this.opt = opt;
    }

    public Option(String opt, boolean hasArg, String description) {
        this.opt = opt;
    }

    public Option(String opt, String longOpt, boolean hasArg, String description) {
        this.opt = opt;
        this.longOpt = longOpt;
    }

    public static Builder builder() {
        return new Builder(null);
    }

    public static Builder builder(String opt) {
        return new Builder(opt);
    }

    String written() {
        return longOpt != null ? "--" + longOpt : "-" + opt;
    }

    public String getOpt() {
        return opt;
    }

    public String getLongOpt() {
        return longOpt;
    }

    public boolean isRequired() {
        return required;
    }

    public void setRequired(boolean on) {
        required = on;
    }

    public void setLongOpt(String name) {
        longOpt = name;
    }

    public void setArgs(int count) {}

    public void setArgName(String name) {}

    public void setType(Object type) {}

    public void setOptionalArg(boolean on) {}

    public void setValueSeparator(char separator) {}

    public static class Builder {
        private final Option made;

        Builder(String opt) {
            made = new Option(opt, "");
        }

        public Builder option(String opt) {
            Builder other = new Builder(opt);
            other.made.longOpt = made.longOpt;
            other.made.required = made.required;
            return other;
        }

        public Builder longOpt(String name) {
            made.longOpt = name;
            return this;
        }

        public Builder required() {
            made.required = true;
            return this;
        }

        public Builder required(boolean on) {
            made.required = on;
            return this;
        }

        public Builder hasArg() {
            return this;
        }

        public Builder hasArg(boolean on) {
            return this;
        }

        public Builder hasArgs() {
            return this;
        }

        public Builder numberOfArgs(int count) {
            return this;
        }

        public Builder optionalArg(boolean on) {
            return this;
        }

        public Builder argName(String name) {
            return this;
        }

        public Builder desc(String description) {
            return this;
        }

        public Builder type(Object type) {
            return this;
        }

        public Builder valueSeparator() {
            return this;
        }

        public Builder valueSeparator(char separator) {
            return this;
        }

        public Option build() {
            return made;
        }
    }
}
