// Everything that a letter, and whoever signed for it, depends on: which operations can change it, and how a change by someone
// who could not have signed is noticed before a letter leaves. The page docs/guide/dependencies.md is made of it, and
// test/letters/dependencies.test.ts makes every one of these changes under every policy of reviewing. What writes the same
// tables and changes no letter is in no-edits.rules.ts.

/**
 * `held`: no letter leaves until someone who could sign for it does. `bound`: a letter keeps what it was written with, and one
 * that is written afterwards is held. `read`: letters are made again and someone reads them. `marked`: the value counts as
 * edited, and letters that say it are read where the policy reads those (every letter, first letters, edited values, the
 * sample). `copied`: letters hold a copy, and the change reaches none. `free`: it puts no word and no other address into a
 * letter; the gates ask for it as it is when the letter leaves. `refused`: no one changes it who could not sign for it.
 */
export const NOTICES = ['held', 'bound', 'read', 'marked', 'copied', 'free', 'refused'] as const;
export type Notice = (typeof NOTICES)[number];

export type Dependency = {
  is: string;
  /** Where it exists. */
  tables: readonly string[];
  /** Operations that can change it for a letter that is signed for, whoever calls. */
  edited_by: readonly string[];
  notice: Notice;
  /** How it is noticed, in one or two sentences. */
  says: string;
};

export const DEPENDENCIES = {
  address: {
    is: "The person's first address",
    tables: ['person_addresses', 'prospects'],
    edited_by: ['person_update', 'person_merge'],
    notice: 'bound',
    says: 'A prospect keeps the hash of the address it was enrolled with. A letter to another one is held with address_changed, unless somebody who may enrol chose it or approves that letter.',
  },
  person: {
    is: 'What is known of the person: name, title, phone, country, language, time zone, source, tags, custom fields',
    tables: ['people'],
    edited_by: ['person_update', 'person_merge', 'people_import', 'import_rollback', 'field_replace'],
    notice: 'marked',
    says: 'people.edited names each value that was last changed by somebody who could not set how letters are reviewed.',
  },
  company: {
    is: 'The company: name, domain, country, size, time zone, custom fields',
    tables: ['companies'],
    edited_by: ['company_update', 'field_replace'],
    notice: 'marked',
    says: 'companies.edited names them in the same way.',
  },
  employer: {
    is: 'Which company the person works for',
    tables: ['people'],
    edited_by: ['person_update', 'person_merge', 'people_import', 'company_delete'],
    notice: 'marked',
    says: 'Another company, or none, marks every value of a company as edited.',
  },
  gate_facts: {
    is: 'What the gates ask of the person: basis, source, time zone',
    tables: ['people'],
    edited_by: ['person_update'],
    notice: 'free',
    says: 'The gates ask for them when the letter leaves. Who changed them stands in the history of the person.',
  },
  steps: {
    is: 'The steps of the sequence: texts, subjects, order and waits',
    tables: ['sequence_steps', 'campaigns'],
    edited_by: ['sequence_save'],
    notice: 'read',
    says: 'The policy is bound to the revision of the sequence. An edit without the right leaves it behind: letters go to review, and a confirmation that nobody reads them is stale.',
  },
  attachments: {
    is: 'Files that a step carries',
    tables: ['step_attachments', 'attachments'],
    edited_by: ['sequence_save'],
    notice: 'read',
    says: 'They are part of the steps, and of the fingerprint of a letter by their hash. A stored file is never changed.',
  },
  campaign_words: {
    is: "The campaign's name, goal, postal address and way to unsubscribe",
    tables: ['campaigns'],
    edited_by: ['campaign_update'],
    notice: 'read',
    says: 'campaigns.loosened_at says when they were last changed without the right. Letters are made anew and lose their approval; a confirmation given before is stale.',
  },
  campaign_settings: {
    is: "The campaign's hours, days, caps, limits, basis, verification and what ends a sequence",
    tables: ['campaigns'],
    edited_by: ['campaign_update'],
    notice: 'held',
    says: 'A change that lets it send more, sooner or to other people holds its letters with campaign_eased until it is activated again or taken back.',
  },
  review: {
    is: 'The review policy, the confirmation that nobody reads letters, and the pool of identities',
    tables: ['campaigns', 'campaign_identities'],
    edited_by: ['campaign_review_policy', 'campaign_no_human_review', 'campaign_pool'],
    notice: 'refused',
    says: 'Wire act 6. A stricter policy sends letters back to review that nobody has read.',
  },
  activation: {
    is: 'Whether the campaign runs',
    tables: ['campaigns'],
    edited_by: ['campaign_activate'],
    notice: 'refused',
    says: 'Wire act 4. It carries what was seen, and stands as long as whoever activated it could do so now.',
  },
  sender_words: {
    is: "The sender's name, reply address and signature",
    tables: ['identities'],
    edited_by: ['identity_update'],
    notice: 'read',
    says: 'identities.loosened_at says when they were last changed without the right. Letters are made anew, lose their approval and go to review.',
  },
  sender_way: {
    is: "The sender's address, server and credentials",
    tables: ['identities'],
    edited_by: ['identity_update'],
    notice: 'held',
    says: 'The change makes the identity inactive, and letters are held with identity_inactive until somebody activates it (wire act 9).',
  },
  sender_pace: {
    is: "The caps, distances and workday of the sender, and the domain's cap",
    tables: ['identities', 'domains'],
    edited_by: ['identity_update', 'domain_update'],
    notice: 'free',
    says: 'The gates ask for them when the letter leaves; the caps of campaign, sender and domain hold together.',
  },
  domain: {
    is: 'The state of the sending domain',
    tables: ['domains'],
    edited_by: ['domain_resume'],
    notice: 'refused',
    says: 'Wire act 7. What its DNS says is looked up, and nobody can set it.',
  },
  postal_addresses: {
    is: 'The lines of a postal address',
    tables: ['postal_addresses'],
    edited_by: ['postal_address_delete'],
    notice: 'refused',
    says: 'They are never edited, and an address that a campaign uses cannot be deleted.',
  },
  base_url: {
    is: 'The address that links in letters begin with (SERVICE_BASE_URL)',
    tables: ['instance_address'],
    edited_by: [],
    notice: 'read',
    says: 'Only whoever runs the instance changes it. Letters that have not left get new links, and those that were approved go to review with base_url_changed.',
  },
  letter: {
    is: 'The letter itself: its words and which address of the person it goes to',
    tables: ['sends'],
    edited_by: ['send_update', 'letter_draft'],
    notice: 'read',
    says: 'The fingerprint changes, the approval is void and the letter goes to review.',
  },
  approval: {
    is: 'The approval of a letter',
    tables: ['sends'],
    edited_by: ['send_approve', 'sends_approve'],
    notice: 'refused',
    says: 'Wire act 1. It stands for one fingerprint, as long as whoever gave it could give it now.',
  },
  holds: {
    is: 'Holds on a person in a campaign and on a letter',
    tables: ['prospects', 'sends'],
    edited_by: ['prospect_hold', 'prospect_release', 'send_hold', 'send_recheck'],
    notice: 'free',
    says: 'They only keep letters back. What is let go is asked of every gate again.',
  },
  enrolment: {
    is: 'Who is in the campaign',
    tables: ['prospects'],
    edited_by: ['campaign_enrol'],
    notice: 'refused',
    says: 'Wire act 5. Nothing else puts anybody in: no import, tag, form, merge or segment.',
  },
  suppressions: {
    is: 'Suppressions of addresses and domains',
    tables: ['suppressions'],
    edited_by: ['suppression_lift'],
    notice: 'refused',
    says: 'Wire act 3. Adding one is free and only stops letters.',
  },
  verdicts: {
    is: 'What verification says of the address',
    tables: ['verifications', 'person_addresses'],
    edited_by: ['outreach_verify'],
    notice: 'free',
    says: 'A verdict is found by asking outside, and nobody can set it.',
  },
  segments: {
    is: 'The segment that people were enrolled from',
    tables: ['segments'],
    edited_by: ['segment_update', 'segment_delete'],
    notice: 'copied',
    says: 'Enrolling takes the people it has at that moment. A step of a workflow that names a segment waits for a person when it was edited after the activation.',
  },
  workflows: {
    is: 'The definition of a workflow that enrols people',
    tables: ['workflows'],
    edited_by: ['workflow_update', 'workflow_delete'],
    notice: 'copied',
    says: 'An activation is of one version, and an edit runs once it is activated again. A step with wire waits for a person when what it names was edited after the activation.',
  },
  forms: {
    is: 'The web form that a campaign is named in',
    tables: ['forms'],
    edited_by: ['form_update', 'form_delete'],
    notice: 'free',
    says: 'What somebody writes there belongs to the campaign in which they are already. No form puts anybody into one.',
  },
  templates: {
    is: 'Saved letters that a step was written from',
    tables: ['letter_templates'],
    edited_by: ['template_update', 'template_delete'],
    notice: 'copied',
    says: 'A step holds a copy.',
  },
  snippets: {
    is: 'Saved replies',
    tables: ['snippets'],
    edited_by: ['snippet_update', 'snippet_delete'],
    notice: 'copied',
    says: 'They are put into answers alone, as a copy that is sent with its fingerprint (wire act 2).',
  },
  fields: {
    is: 'The definitions of custom fields',
    tables: ['custom_fields'],
    edited_by: ['field_replace'],
    notice: 'copied',
    says: 'Letters ask for values by their keys and for no definition. Values that go with a definition count as edited.',
  },
} as const satisfies Record<string, Dependency>;

export type DependencyName = keyof typeof DEPENDENCIES;
