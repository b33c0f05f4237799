// Placeholder of this screen.
import { Page } from '../../../ui/kit/page.tsx';
import { Empty } from '../../../ui/kit/states.tsx';

export function ConnectScreen() {
  return (
    <Page crumbs={[{ title: 'Connect' }]}>
      <Empty title="Connect">Not here yet.</Empty>
    </Page>
  );
}
