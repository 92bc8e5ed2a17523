package shop;
class Cleaning extends CleaningBase {
public void before() { Ledger.entries = 0; }
}
class CleaningBase extends org.junit.rules.ExternalResource {
protected void after() { tidy(); }
void tidy() { Worker.done = 0; }
}
