// Placeholder of this screen.
import { Page } from '../../../ui/kit/page.tsx';
import { Empty } from '../../../ui/kit/states.tsx';

export function InstanceScreen() {
  return (
    <Page crumbs={[{ title: 'Instance' }]}>
      <Empty title="Instance">Not here yet.</Empty>
    </Page>
  );
}
