// An email with all DNS records for the person who publishes them, to send from one’s own mail program.
import { Button } from '@mantine/core';
import { Mail } from 'lucide-react';
import type { Answer } from '../../../../ui/client/call.ts';

type EmailRecordsProps = { domain: string; records: Answer<'domain_records'>['records'] };

export function EmailRecords({ domain, records }: EmailRecordsProps) {
  const listed = records.map(({ type, name, value }) => `Type: ${type}\nName: ${name}\nValue: ${value}`);
  const text = `Please publish these DNS records for ${domain}:\n\n${listed.join('\n\n')}\n`;
  const query = `subject=${encodeURIComponent(`DNS records for ${domain}`)}&body=${encodeURIComponent(text)}`;
  return (
    <Button
      component="a"
      variant="default"
      leftSection={<Mail size={14} aria-hidden />}
      href={`mailto:?${query}`}
    >
      Email these records to my IT
    </Button>
  );
}
