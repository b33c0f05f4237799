// Placeholder of this screen.
import { Page } from '../../../ui/kit/page.tsx';
import { Empty } from '../../../ui/kit/states.tsx';

export function ExplainScreen() {
  return (
    <Page crumbs={[{ title: 'Explain' }]}>
      <Empty title="Explain">Not here yet.</Empty>
    </Page>
  );
}
