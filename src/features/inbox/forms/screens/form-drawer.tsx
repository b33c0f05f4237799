// One web form, or a new one: what it is called, whom its posts belong to, whose scripts may post, the lines to put into a page,
// and what was posted last.
import { NativeSelect, Switch, TagsInput, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useAct, useRead } from '../../../../ui/client/hooks.ts';
import { CodeBlock } from '../../../../ui/kit/code-block.tsx';
import { RecordDrawer, RemoveButton } from '../../../../ui/kit/record-drawer.tsx';
import { FormEnd, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import { many } from '../../../../ui/kit/numbers.ts';
import { Time } from '../../../../ui/kit/time.tsx';
import type { Form } from '../contract.ts';
import { htmlFor, scriptFor } from './snippets.ts';
import classes from './forms.module.css';

type DrawerProps = {
  form: Form | null;
  opened: boolean;
  onClose: () => void;
  made: (id: string) => void;
};

export function FormDrawer({ form, opened, onClose, made }: DrawerProps) {
  return (
    <RecordDrawer
      record={form}
      opened={opened}
      onClose={onClose}
      id={({ id }) => id}
      title={({ name }) => name}
      making={{ title: 'New form', body: <Fields form={null} made={made} /> }}
      size={560}
    >
      {(one) => (
        <>
          <InPages form={one} />
          <Fields form={one} made={made} />
          <Remove form={one} onClose={onClose} />
        </>
      )}
    </RecordDrawer>
  );
}

function InPages({ form }: { form: Form }) {
  return (
    <section className={classes.part} aria-label="In your page">
      <h3>In your page</h3>
      <p>
        Any fields may stand in it; <code>email</code> must. The one that nobody sees keeps out programs that
        fill in whatever they find.
      </p>
      <CodeBlock text={htmlFor(form)} label="HTML of the form" wrap />
      {form.origins.length > 0 && (
        <details className={classes.more}>
          <summary>Posted by a script instead</summary>
          <CodeBlock text={scriptFor(form)} label="script of the form" wrap />
        </details>
      )}
      <p>
        {form.posts === 0 ? (
          'Nothing was posted yet.'
        ) : (
          <>
            {many(form.posts, 'post')}, the last <Time at={form.last_post_at} />.{' '}
            <Link to="/inbox" search={{ channel: 'form', state: 'all' }}>
              Show them in the inbox
            </Link>
          </>
        )}
      </p>
    </section>
  );
}

function Fields({ form: of, made }: { form: Form | null; made: (id: string) => void }) {
  const identities = useRead('identity_list', { limit: 200 }).data?.items ?? [];
  const campaigns = useRead('campaign_list', { limit: 200 }).data?.items ?? [];
  const create = useAct('form_create', {
    quiet: true,
    says: 'Form created. Add its code to your page.',
  });
  const update = useAct('form_update', { quiet: true, says: 'The form is saved.' });
  const form = useActForm(
    {
      name: of?.name ?? '',
      identity_id: of?.identity_id ?? '',
      campaign_id: of?.campaign_id ?? '',
      redirect_url: of?.redirect_url ?? '',
      origins: of?.origins ?? ([] as string[]),
      active: of?.active ?? true,
    },
    async ({ name, identity_id, campaign_id, redirect_url, origins, active }) => {
      const wish = {
        name: name.trim(),
        identity_id: identity_id || null,
        campaign_id: campaign_id || null,
        redirect_url: redirect_url.trim() || null,
        origins,
      };
      if (of) await update.mutateAsync({ form: of.id, revision: of.revision, ...wish, active });
      else made((await create.mutateAsync(wish)).form.id);
    },
  );
  const { values, set, errors } = form;
  return (
    <FormStack form={form} label={of ? `Form ${of.name}` : 'New form'}>
      <TextInput
        label="Name"
        description="Stands above what is posted, as a subject does."
        placeholder="Contact"
        data-autofocus
        {...form.text('name')}
      />
      {of && (
        <Switch
          label="Takes posts"
          checked={values.active}
          onChange={(event) => set('active', event.currentTarget.checked)}
        />
      )}
      <NativeSelect
        label="Who answers"
        value={values.identity_id}
        onChange={(event) => set('identity_id', event.currentTarget.value)}
        error={errors.identity_id}
        data={[
          { value: '', label: 'Whoever opens the conversation' },
          ...identities.map(({ id, address }) => ({ value: id, label: address })),
        ]}
      />
      <NativeSelect
        label="Campaign"
        description="Posts of people who are in it belong to it."
        value={values.campaign_id}
        onChange={(event) => set('campaign_id', event.currentTarget.value)}
        error={errors.campaign_id}
        data={[
          { value: '', label: 'None' },
          ...campaigns.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <TextInput
        label="Page after a post"
        description="Where the browser goes then. Left empty, a page here says thanks."
        placeholder="https://www.example.com/thanks"
        type="url"
        autoComplete="off"
        spellCheck={false}
        {...form.text('redirect_url')}
      />
      <TagsInput
        label="Pages whose scripts may post"
        description="Such as https://www.example.com. A form that the browser sends by itself needs none."
        value={values.origins}
        onChange={(origins) => set('origins', origins)}
        error={errors.origins}
      />
      <FormEnd form={form} act={of ? 'Save' : 'Make the form'} />
    </FormStack>
  );
}

function Remove({ form, onClose }: { form: Form; onClose: () => void }) {
  const remove = useAct('form_delete', { says: 'The form is deleted.', onSuccess: onClose });
  return (
    <RemoveButton
      word="Delete"
      question={{
        title: `Delete the form ${form.name}?`,
        says: 'Its address takes nothing from then on: pages that still post to it are told so. What was written there stays in the inbox.',
        act: 'Delete',
      }}
      busy={remove.isPending}
      remove={() => remove.mutate({ form: form.id })}
      mt={20}
    />
  );
}
