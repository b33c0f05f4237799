// Placeholder of this screen.
import { Page } from '../../../ui/kit/page.tsx';
import { Empty } from '../../../ui/kit/states.tsx';

export function SignInScreen() {
  return (
    <Page crumbs={[{ title: 'Sign in' }]}>
      <Empty title="Sign in">Not here yet.</Empty>
    </Page>
  );
}
