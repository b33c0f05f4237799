// Placeholder of this screen.
import { Page } from '../../../ui/kit/page.tsx';
import { Empty } from '../../../ui/kit/states.tsx';

export function UsersScreen() {
  return (
    <Page crumbs={[{ title: 'Users' }]}>
      <Empty title="Users">Not here yet.</Empty>
    </Page>
  );
}
