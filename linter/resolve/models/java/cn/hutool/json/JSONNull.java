package cn.hutool.json;

public class JSONNull {
    public String toString() {
        return "null";
    }
}
