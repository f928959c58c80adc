"""What Spring makes of an application: which classes are beans, under which conditions, configured by what.

`applications` finds what starts, `annotations` what an annotation means (also through other annotations), `conditions`
whether a condition holds in an environment, and `context` registers beans in Spring's order. Mirrors
ConfigurationClassParser and ConfigurationClassBeanDefinitionReader, Spring 5.3 and 6.1, and OnBeanCondition,
OnPropertyCondition, Spring Boot 2.7 and 3.3.
"""
