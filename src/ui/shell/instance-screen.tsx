// Settings › Instance, with how the instance is doing.
import { InstanceScreen as Instance } from '../../features/access/settings/screens/instance.tsx';
import { HealthSection } from '../../features/instance/health/screens/health-section.tsx';

export const InstanceScreen = () => <Instance health={<HealthSection />} />;
