// The values of a domain’s DNS records, edited in place: sending servers, SPF includes, DMARC reports and incoming mail.
import { TagsInput, TextInput } from '@mantine/core';
import { useAct } from '../../../../ui/client/hooks.ts';
import { FormEnd, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import type { Domain } from '../contract.ts';
import classes from './domains.module.css';

export function Senders({ domain }: { domain: Domain }) {
  const update = useAct('domain_update', {
    quiet: true,
    says: 'Saved. Publish the updated records, then check them.',
  });
  const { sending_hosts, spf_includes } = domain;
  const form = useActForm(
    {
      sending_hosts,
      spf_includes,
      dmarc_rua: domain.dmarc_rua ?? '',
      mx_host: domain.mx_host ?? '',
    },
    ({ dmarc_rua, mx_host, ...lists }) =>
      update.mutateAsync({
        domain: domain.id,
        revision: domain.revision,
        ...lists,
        dmarc_rua: dmarc_rua.trim() || null,
        mx_host: mx_host.trim() || null,
      }),
    { revision: domain.revision },
  );
  const { values, errors, set, text } = form;
  return (
    <FormStack form={form} label="Record values">
      <TagsInput
        label="Sending servers"
        description="Host names or IP addresses. Press Enter after each one. Leave empty if an email vendor sends."
        placeholder={values.sending_hosts.length === 0 ? 'mail.example.com' : ''}
        value={values.sending_hosts}
        error={errors.sending_hosts}
        onChange={(hosts) => set('sending_hosts', hosts)}
      />
      <TagsInput
        label="SPF includes"
        description="From your mail provider."
        placeholder={values.spf_includes.length === 0 ? '_spf.example.com' : ''}
        value={values.spf_includes}
        error={errors.spf_includes}
        onChange={(names) => set('spf_includes', names)}
      />
      <div className={classes.pair}>
        <TextInput label="Address for DMARC reports" placeholder="None" {...text('dmarc_rua')} />
        <TextInput label="Incoming mail server" placeholder="None" {...text('mx_host')} />
      </div>
      <FormEnd form={form} act="Save values" />
    </FormStack>
  );
}
