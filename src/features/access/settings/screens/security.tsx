// Settings › Access & Security › Security: how strictly decisions are kept with people.
import { Switch } from '@mantine/core';
import { useAct, useRead } from '../../../../ui/client/hooks.ts';
import { useMe } from '../../../../ui/client/session.ts';
import { Page, Section } from '../../../../ui/kit/page.tsx';
import { Bones, Trouble } from '../../../../ui/kit/states.tsx';
import { mayAdminister } from '../../../../ui/shell/places.ts';
import { SealSection } from '../../audit/screens/shared.ts';
import classes from './settings.module.css';

export function SecurityScreen() {
  const { data, error, refetch } = useRead('settings_get', {});
  const me = useMe();
  const edits = mayAdminister(me);
  const save = useAct('settings_security', {
    says: ({ security }) =>
      security.decide_on_screen_only
        ? 'Approvals can now be decided only in the app.'
        : 'Approvals can now also be decided with personal tokens.',
  });
  const on = save.isPending
    ? (save.variables.decide_on_screen_only ?? false)
    : (data?.security.decide_on_screen_only ?? false);
  return (
    <Page crumbs={[{ title: 'Settings' }, { title: 'Security' }]} width="reading">
      {error ? (
        <Trouble subject error={error} again={() => void refetch()} />
      ) : (
        <>
          <Section title="Decisions" says="Agents can never decide approvals, regardless of this setting.">
            {data ? (
              <div className={classes.choice}>
                <div>
                  <h3 id="screen-only">Decide only in the app</h3>
                  <p id="screen-only-says">
                    Off: people can also decide with a personal token that no agent has ever used. On: people
                    can decide only when signed in to the app.
                    {!edits && ' Only an administrator can change this.'}
                  </p>
                </div>
                <Switch
                  aria-labelledby="screen-only"
                  aria-describedby="screen-only-says"
                  checked={on}
                  disabled={!edits || save.isPending}
                  onChange={(event) => save.mutate({ decide_on_screen_only: event.currentTarget.checked })}
                />
              </div>
            ) : (
              <Bones lines={3} />
            )}
          </Section>
          {mayAdminister(me) && <SealSection />}
        </>
      )}
    </Page>
  );
}
