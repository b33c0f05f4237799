// Placeholder of this screen.
import { Page } from '../../../ui/kit/page.tsx';
import { Empty } from '../../../ui/kit/states.tsx';

export function AcceptInviteScreen() {
  return (
    <Page crumbs={[{ title: 'Invitation' }]}>
      <Empty title="Invitation">Not here yet.</Empty>
    </Page>
  );
}
