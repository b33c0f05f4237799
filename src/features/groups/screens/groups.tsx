// Placeholder of this screen.
import { Page } from '../../../ui/kit/page.tsx';
import { Empty } from '../../../ui/kit/states.tsx';

export function GroupsScreen() {
  return (
    <Page crumbs={[{ title: 'Groups' }]}>
      <Empty title="Groups">Not here yet.</Empty>
    </Page>
  );
}
