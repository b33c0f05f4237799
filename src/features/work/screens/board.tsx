// Placeholder of this screen.
import { Page } from '../../../ui/kit/page.tsx';
import { Empty } from '../../../ui/kit/states.tsx';

export function BoardScreen() {
  return (
    <Page crumbs={[{ title: 'Work' }]}>
      <Empty title="Work">Not here yet.</Empty>
    </Page>
  );
}
