// Placeholder of this screen.
import { Page } from '../../../ui/kit/page.tsx';
import { Empty } from '../../../ui/kit/states.tsx';

export function SessionsScreen() {
  return (
    <Page crumbs={[{ title: 'Sessions' }]}>
      <Empty title="Sessions">Not here yet.</Empty>
    </Page>
  );
}
