// Placeholder of this screen.
import { Page } from '../../../ui/kit/page.tsx';
import { Empty } from '../../../ui/kit/states.tsx';

export function ActivityScreen() {
  return (
    <Page crumbs={[{ title: 'Activity' }]}>
      <Empty title="Activity">Not here yet.</Empty>
    </Page>
  );
}
