// Where toasts are drawn; loaded with the first of them.
import '@mantine/notifications/styles.layer.css';
import { Notifications } from '@mantine/notifications';

export const Toasts = () => <Notifications position="bottom-right" limit={4} containerWidth={380} />;
