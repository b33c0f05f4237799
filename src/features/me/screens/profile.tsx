// Placeholder of this screen.
import { Page } from '../../../ui/kit/page.tsx';
import { Empty } from '../../../ui/kit/states.tsx';

export function ProfileScreen() {
  return (
    <Page crumbs={[{ title: 'Profile' }]}>
      <Empty title="Profile">Not here yet.</Empty>
    </Page>
  );
}
