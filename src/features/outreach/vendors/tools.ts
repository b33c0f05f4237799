// The vendor's tool. It holds no gate of its own: the one of its route answers.
import { z } from 'zod';
import { ON_THE_WIRE, tool, type Tool } from '../../../kernel/tool.ts';
import { vendorWebhookRegister } from './contract.ts';

export const vendorTools: Tool[] = [
  tool({
    name: 'webhook_register',
    title: 'Register the vendor webhook',
    says: 'Has a mail vendor report deliveries and bounces to this instance. Needs wire and a saved provider key.',
    hints: { ...ON_THE_WIRE, idempotentHint: true },
    takes: z.strictObject({ provider: z.string(), events: z.array(z.string()).optional() }),
    example: { provider: 'resend' },
    calls: [vendorWebhookRegister],
    pick: (args) => ({ operation: vendorWebhookRegister, arguments: args }),
  }),
];
