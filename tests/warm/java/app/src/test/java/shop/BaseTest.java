package shop;
import depot.Registry;
public abstract class BaseTest {
protected Cart base = new Cart();
@org.junit.Test public void inherited() { check(new Clock().now(), 2L); }
protected void check(Object actual, Object expected) { org.junit.Assert.assertEquals(expected, actual); }
@org.junit.Before public void setUpBase() { base.add("plum"); }
@org.junit.After public void after() { Store.clear(); }
}
