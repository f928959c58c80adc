package x;
import org.apache.rocketmq.spring.annotation.RocketMQMessageListener;
import org.apache.rocketmq.spring.core.RocketMQListener;
import org.springframework.stereotype.Component;

@RocketMQMessageListener(consumerGroup = "g", topic = "T", selectorExpression = "a||c")
@Component
class B implements RocketMQListener<String> { public void onMessage(String m) {} }
