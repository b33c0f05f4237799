// Drawer of one web form, or a new one: settings, code for the page, and the last submission.
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
    <section className={classes.part} aria-label="Add to your page">
      <h3>Add to your page</h3>
      <p>
        Add any fields. <code>email</code> is required. The hidden field catches spam bots.
      </p>
      <CodeBlock text={htmlFor(form)} label="form HTML" wrap />
      {form.origins.length > 0 && (
        <details className={classes.more}>
          <summary>Submit from a script instead</summary>
          <CodeBlock text={scriptFor(form)} label="form script" wrap />
        </details>
      )}
      <p>
        {form.posts === 0 ? (
          'No submissions yet.'
        ) : (
          <>
            {many(form.posts, 'submission')}, last <Time at={form.last_post_at} />.{' '}
            <Link to="/inbox" search={{ channel: 'form', state: 'all' }}>
              Show in inbox
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
  const update = useAct('form_update', { quiet: true, says: 'Form saved' });
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
        description="Used as the subject of new conversations."
        placeholder="Contact"
        data-autofocus
        {...form.text('name')}
      />
      {of && (
        <Switch
          label="Accepts submissions"
          checked={values.active}
          onChange={(event) => set('active', event.currentTarget.checked)}
        />
      )}
      <NativeSelect
        label="Reply from"
        value={values.identity_id}
        onChange={(event) => set('identity_id', event.currentTarget.value)}
        error={errors.identity_id}
        data={[
          { value: '', label: 'Person who replies' },
          ...identities.map(({ id, address }) => ({ value: id, label: address })),
        ]}
      />
      <NativeSelect
        label="Campaign"
        description="Submissions from people in this campaign are linked to it."
        value={values.campaign_id}
        onChange={(event) => set('campaign_id', event.currentTarget.value)}
        error={errors.campaign_id}
        data={[
          { value: '', label: 'None' },
          ...campaigns.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <TextInput
        label="Thank-you page"
        description="Where visitors go after submitting. Leave empty to use the built-in page."
        placeholder="https://www.example.com/thanks"
        type="url"
        autoComplete="off"
        spellCheck={false}
        {...form.text('redirect_url')}
      />
      <TagsInput
        label="Allowed origins"
        description="Sites whose scripts may submit, such as https://www.example.com. Plain HTML forms don’t need this."
        value={values.origins}
        onChange={(origins) => set('origins', origins)}
        error={errors.origins}
      />
      <FormEnd form={form} act={of ? 'Save' : 'Create form'} />
    </FormStack>
  );
}

function Remove({ form, onClose }: { form: Form; onClose: () => void }) {
  const remove = useAct('form_delete', { says: 'Form deleted', onSuccess: onClose });
  return (
    <RemoveButton
      word="Delete"
      question={{
        title: `Delete form “${form.name}”?`,
        says: 'Pages that still use this form will get an error. Past submissions stay in the inbox. This can’t be undone.',
        act: 'Delete',
      }}
      busy={remove.isPending}
      remove={() => remove.mutate({ form: form.id })}
      mt={20}
    />
  );
}
