// Two verifiers of DKIM that share nothing with the product: dkimpy and Perl's Mail::DKIM.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const here = (name: string): string => join(import.meta.dirname, name);
/** As they travelled: a mailbox keeps lines with their ends cut short. */
const coded = (letters: readonly Buffer[]): string[] =>
  letters.map((each) =>
    Buffer.from(each.toString('latin1').replace(/\r?\n/g, '\r\n'), 'latin1').toString('base64'),
  );

/** For each letter, one answer for each signature that it carries. `records`: TXT by name. */
export async function verifiedByDkimpy(
  letters: readonly Buffer[],
  records: Record<string, string>,
): Promise<boolean[][]> {
  return JSON.parse(
    await asked(
      '/usr/bin/python3',
      [here('verify-dkim.py')],
      JSON.stringify({ records, letters: coded(letters) }),
    ),
  );
}

/** `pass`, or why not. `nameServer`: address and port. */
export async function verifiedByPerl(letters: readonly Buffer[], nameServer: string): Promise<string[]> {
  const said = await asked(
    '/usr/bin/perl',
    [here('verify-dkim.pl'), ...nameServer.split(':')],
    `${coded(letters).join('\n')}\n`,
  );
  return said.trimEnd().split('\n');
}

function asked(program: string, args: string[], input: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const pieces: Buffer[] = [];
    child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0
        ? resolve(Buffer.concat(pieces).toString())
        : reject(
            new Error(
              `${program} ended with ${code}: for tests with real mail servers, ask an administrator to install the packages python3-dkim and libmail-dkim-perl.`,
            ),
          ),
    );
    child.stdin.end(input);
  });
}
