// Placeholder of this screen.
import { Page } from '../../../ui/kit/page.tsx';
import { Empty } from '../../../ui/kit/states.tsx';

export function SecurityScreen() {
  return (
    <Page crumbs={[{ title: 'Security' }]}>
      <Empty title="Security">Not here yet.</Empty>
    </Page>
  );
}
