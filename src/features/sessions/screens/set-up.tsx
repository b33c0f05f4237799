// Placeholder of this screen.
import { Page } from '../../../ui/kit/page.tsx';
import { Empty } from '../../../ui/kit/states.tsx';

export function SetUpScreen() {
  return (
    <Page crumbs={[{ title: 'Set up' }]}>
      <Empty title="Set up">Not here yet.</Empty>
    </Page>
  );
}
