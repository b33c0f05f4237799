// The tool that verifies addresses. With action=send its operation asks for wire, here as everywhere.
import { z } from 'zod';
import { ON_THE_WIRE, tool, type Tool } from '../../../kernel/tool.ts';
import { ADDRESSES_AT_ONCE, verifyAddresses } from './contract.ts';

export const verificationTools: Tool[] = [
  tool({
    name: 'outreach_verify_email',
    title: 'Verify email addresses',
    says: 'Verifies up to 50 addresses and saves the verdicts: DELIVERABLE, RISKY, UNDELIVERABLE or UNKNOWN, with the reason. UNKNOWN means that we couldn’t check, and replaces no verdict. action=send writes a real letter and needs wire.',
    hints: ON_THE_WIRE,
    takes: z.strictObject({
      address: z.string().optional(),
      addresses: z.array(z.string()).max(ADDRESSES_AT_ONCE).optional(),
      action: z.enum(['check', 'send']).optional(),
      identity_id: z.string().optional(),
      subject: z.string().optional(),
      text: z.string().optional(),
    }),
    example: {
      address: 'dana@acme.example',
      action: 'send',
      identity_id: '0198c0de-0000-7000-8000-000000000051',
      subject: 'Your talk in Ghent',
      text: 'Dear Dana',
    },
    calls: [verifyAddresses],
    pick: ({ address, addresses = [], ...args }) => ({
      operation: verifyAddresses,
      arguments: { ...args, addresses: address === undefined ? addresses : [address, ...addresses] },
    }),
  }),
];
