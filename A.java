package x;
import org.apache.rocketmq.spring.annotation.RocketMQMessageListener;
import org.apache.rocketmq.spring.core.RocketMQListener;
import org.springframework.stereotype.Component;

@RocketMQMessageListener(consumerGroup = "g", topic = "T", selectorExpression = "a||b")
@Component
class A implements RocketMQListener<String> { public void onMessage(String m) {} }
