// Placeholder of this screen.
import { Page } from '../../../ui/kit/page.tsx';
import { Empty } from '../../../ui/kit/states.tsx';

export function ApprovalsScreen() {
  return (
    <Page crumbs={[{ title: 'Approvals' }]}>
      <Empty title="Approvals">Not here yet.</Empty>
    </Page>
  );
}
