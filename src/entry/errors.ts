// What a refusal and a fault look like on REST: {error: {code, message, details?}}. A fault shows an id and none of its text;
// a database that fails us is no fault, and is said as what it is.
import type { Logger } from 'pino';
import { z } from 'zod';
import { newId } from '../kernel/ids.ts';
import { named } from '../kernel/names.ts';
import { Refusal, REFUSAL_CODES } from '../kernel/refusal.ts';
import { refusedByTrouble } from '../kernel/trouble.ts';

export const errorBody = named(
  'Error',
  z.object({
    error: z.object({
      code: named('ErrorCode', z.enum([...REFUSAL_CODES, 'fault'])),
      message: z.string().meta({ description: 'One sentence.' }),
      details: z
        .looseObject({
          fields: z
            .record(z.string(), z.string())
            .optional()
            .meta({ description: 'With 400: every bad field, and a sentence about it.' }),
          retry_after: z.int().optional().meta({ description: 'With 429: whole seconds to wait.' }),
        })
        .optional(),
    }),
  }),
);

export type ErrorAnswer = {
  status: number;
  body: z.infer<typeof errorBody>;
  headers: Record<string, string>;
};

export function errorAnswer(error: unknown, log: Logger): ErrorAnswer {
  if (error instanceof Refusal) return refusalAnswer(error);
  const refused = refusedByTrouble(error);
  if (refused) {
    log.warn({ err: error }, 'the database failed a request');
    return refusalAnswer(refused);
  }
  const id = newId();
  log.error({ err: error, fault: id }, 'a fault');
  const message = `something broke on our side; nothing was changed. The operator can find it in the log as ${id}`;
  return { status: 500, body: { error: { code: 'fault', message } }, headers: {} };
}

function refusalAnswer({ status, code, sentence, details }: Refusal): ErrorAnswer {
  const headers: Record<string, string> = {};
  if (status === 401) headers['www-authenticate'] = 'Bearer';
  if (details?.retry_after !== undefined) headers['retry-after'] = String(details.retry_after);
  return { status, body: { error: { code, message: sentence, ...(details && { details }) } }, headers };
}
