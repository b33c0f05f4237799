// The ledger of the sixteen acts, written by hand from the interface specification §5. A test that is derived from a
// declaration cannot see a wrong declaration: this one says which operations must carry the gate, by name.
import { describe, expect, test } from 'vitest';
import { features } from '../../src/features.ts';
import { GATED_BESIDE, WIRE_ACTS } from '../../src/kernel/acts.ts';

const LEDGER: Record<(typeof WIRE_ACTS)[number], { says: string; operations: string[] }> = {
  'send.approve': {
    says: 'Approving a send.',
    operations: ['send_approve', 'sends_approve', 'send_resend', 'send_resolve', 'sends_resolve'],
  },
  'answer.send': { says: 'Sending a drafted answer.', operations: ['answer_send'] },
  'suppression.lift': { says: 'Lifting a suppression.', operations: ['suppression_lift'] },
  'campaign.activate': { says: 'Activating a campaign.', operations: ['campaign_activate'] },
  'prospect.enrol': {
    says: 'Enrolling people into a sequence.',
    operations: ['campaign_enrol', 'bulk_enrol'],
  },
  'campaign.review': {
    says: "Changing a campaign's review policy, its no-human-review confirmation, or its identity pool.",
    operations: ['campaign_review_policy', 'campaign_no_human_review', 'campaign_pool'],
  },
  'domain.resume': { says: 'Resuming a paused domain.', operations: ['domain_resume'] },
  'identity.create': { says: 'Creating a sending identity.', operations: ['identity_create'] },
  'identity.activate': {
    says: 'Setting a sending identity active (deactivating is allowed).',
    operations: ['identity_activate', 'identity_update'],
  },
  'user.invite': { says: 'Inviting someone.', operations: ['user_invite'] },
  'vendor.webhook.register': {
    says: 'Registering the vendor webhook.',
    operations: ['vendor_webhook_register'],
  },
  'vendor.webhook.rotate': { says: 'Rotating the webhook secret.', operations: ['vendor_webhook_rotate'] },
  'provider.key.delete': { says: "Deleting a provider's key.", operations: ['provider_keys_delete'] },
  'provider.key.save': {
    says: "Saving a provider's keys.",
    operations: ['provider_keys_save', 'provider_test'],
  },
  'events.webhook.set': { says: 'Setting the events webhook address.', operations: ['events_webhook_set'] },
  'events.secret.rotate': {
    says: 'Rotating the events signing secret.',
    operations: ['events_secret_rotate'],
  },
};

const declared = features.flatMap((feature) => feature.operations.map(({ operation }) => operation));

describe('the sixteen acts that require wire', () => {
  test('there are sixteen, in the order of the specification', () => {
    expect(Object.keys(LEDGER)).toEqual([...WIRE_ACTS]);
    expect(WIRE_ACTS).toHaveLength(16);
  });

  test.each(WIRE_ACTS)('%s is claimed by exactly the operations of the ledger', (act) => {
    const claiming = declared.filter((op) => op.wire !== 'never' && op.wire.act === act).map((op) => op.name);
    expect(claiming.sort()).toEqual([...LEDGER[act].operations].sort());
  });

  test('verifying by sending and probing are gated in the same way, and nothing else beside the sixteen', () => {
    expect(GATED_BESIDE).toEqual(['verify.send', 'identity.probe']);
    const claiming = (act: string) =>
      declared.filter((op) => op.wire !== 'never' && op.wire.act === act).map((op) => op.name);
    expect(claiming('verify.send')).toEqual(['outreach_verify']);
    expect(claiming('identity.probe')).toEqual(['identity_probe']);
  });

  test('only what sets an identity active, and enrolling, which a dry run is not, verifying by a letter, trying a provider at a given address, and having uncertain letters sent again are gated by what the arguments say', () => {
    expect(
      declared
        .filter((op) => op.wire !== 'never' && op.wire.when)
        .map((op) => op.name)
        .toSorted(),
    ).toEqual([
      'campaign_enrol',
      'identity_update',
      'outreach_verify',
      'provider_test',
      'send_resolve',
      'sends_resolve',
    ]);
  });
});

describe('acts that no token does, whatever its scopes', () => {
  const RIGHTS = [
    'group_create',
    'group_delete',
    'group_update',
    'policy_create',
    'policy_delete',
    'policy_update',
    'user_update',
  ];
  const OWN = [
    'agent_allow',
    'auth_step_up',
    'campaign_test_letter',
    'capability_connect',
    'capability_finish',
    'me_password',
    'me_session_end',
    'me_totp',
    'me_totp_remove',
    'me_update',
    'passkey_create',
    'passkey_delete',
    'passkey_options',
    'recovery_codes',
    'settings_chat',
    'settings_mail',
    'settings_mail_clear',
    'settings_mail_test',
    'settings_security',
    'settings_workflows',
    'view_delete',
    'view_list',
    'view_rename',
    'view_save',
    'workflow_hosts_set',
    'workflow_secret_delete',
    'workflow_secret_set',
  ];

  test('rights, accounts and minting belong to a session', () => {
    const sessionOnly = declared
      .filter((op) => op.who !== 'anyone' && 'session_only' in op.who)
      .map((op) => op.name);
    expect(sessionOnly.sort()).toEqual([...RIGHTS, ...OWN, 'token_mint'].sort());
  });

  test('only minting admits the provisioning key', () => {
    const admits = declared.filter(
      (op) => op.who !== 'anyone' && 'session_only' in op.who && op.who.provisioning_key === 'admitted',
    );
    expect(admits.map((op) => op.name)).toEqual(['token_mint']);
  });

  test('decisions belong to people', () => {
    const people = declared
      .filter((op) => op.who !== 'anyone' && 'people_only' in op.who)
      .map((op) => op.name);
    expect(people.sort()).toEqual([
      'approval_decide',
      'approvals_decide',
      'approvals_undo',
      'capability_consent',
      'person_erase',
      'sample_create',
      'sample_delete',
      'send_resolve',
      'sends_resolve',
      'start_dismiss',
    ]);
  });

  test('only running a script asks for the scope scripts', () => {
    const scripted = declared
      .filter((op) => op.who !== 'anyone' && 'scripts_scope' in op.who)
      .map((op) => op.name);
    expect(scripted).toEqual(['script_run']);
  });

  test('becoming a person is refused to every token', () => {
    const closed = declared
      .filter((op) => op.who !== 'anyone' && 'never_a_token' in op.who)
      .map((op) => op.name);
    expect(closed.sort()).toEqual([
      'auth_accept_invite',
      'auth_login',
      'auth_logout',
      'auth_passkey_options',
      'auth_reset',
      'auth_reset_request',
      'auth_setup',
    ]);
  });

  test('no one needs no right but to sign in, and to find a route that the API document shows anyone', () => {
    const open = declared.filter((op) => 'open' in op.needs).map((op) => op.name);
    expect(open.sort()).toEqual([
      'auth_accept_invite',
      'auth_login',
      'auth_logout',
      'auth_passkey_options',
      'auth_reset',
      'auth_reset_request',
      'auth_setup',
      'auth_state',
      'route_find',
    ]);
  });
});
