// Two tests that every subclass of this base class runs. The bodies are our own sketch of which hooks of
// the subclass they call and judge; they are not the library's code.
package org.jboss.as.subsystem.test;

import org.junit.Assert;
import org.junit.Test;

public abstract class AbstractSubsystemTest {
    protected KernelServicesBuilder createKernelServicesBuilder(AdditionalInitialization initialization);
    protected String readResource(String name);
}
public abstract class AbstractSubsystemBaseTest extends AbstractSubsystemTest {
    protected abstract String getSubsystemXml();
    protected String getSubsystemXml(String name);
    protected String getSubsystemXsdPath();
    protected AdditionalInitialization createAdditionalInitialization();
    @Test public void testSubsystem() {
        String xml = getSubsystemXml();
        KernelServices services = createKernelServicesBuilder(createAdditionalInitialization()).setSubsystemXml(xml).build();
        Assert.assertTrue(services.isSuccessfulBoot());
    }
    @Test public void testSchema() {
        String schema = getSubsystemXsdPath();
        Assert.assertNotNull(getSubsystemXml(schema));
    }
}
public interface KernelServicesBuilder { KernelServicesBuilder setSubsystemXml(String xml); KernelServices build(); }
public interface KernelServices { boolean isSuccessfulBoot(); }
public class AdditionalInitialization {}
