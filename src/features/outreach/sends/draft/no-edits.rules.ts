// What writes the tables that letters depend on (dependencies.rules.ts) and changes no letter that is signed for, and why.

/**
 * Operations that write one of these tables and change nothing of a letter that is signed for, and why. Whatever writes one and
 * is neither here nor in dependencies.rules.ts fails the tests: it is someone's new way to edit. `tables`: of an operation that exists
 * there for others.
 */
export const NO_EDITS: readonly { operations: readonly string[]; tables?: readonly string[]; why: string }[] =
  [
    {
      operations: [
        'person_create',
        'company_create',
        'campaign_create',
        'campaign_clone',
        'identity_create',
        'domain_create',
        'postal_address_create',
        'segment_create',
        'snippet_create',
        'template_create',
        'workflow_create',
        'form_create',
        'letter_create',
        'attachment_create',
        'answer_attach',
      ],
      why: 'It makes something new that nothing signed for names.',
    },
    {
      operations: [
        'person_delete',
        'person_erase',
        'campaign_delete',
        'campaign_archive',
        'campaign_pause',
        'identity_deactivate',
        'identity_delete',
        'domain_pause',
        'domain_retire',
        'prospect_remove',
        'send_return',
        'send_reject',
        'send_cancel',
        'sends_unapprove',
        'answer_take_back',
        'suppression_add',
      ],
      why: 'It only ends letters or keeps them back.',
    },
    {
      operations: ['identity_probe'],
      why: 'It notes whether bounces of an identity arrive, which no letter and no gate reads.',
    },
    {
      operations: [
        'prospect_spine',
        'campaign_spine',
        'touch_create',
        'thread_create',
        'thread_reading',
        'quarantine_place',
      ],
      why: 'It says what somebody answered, which ends sequences and begins none.',
    },
    { operations: ['thread_merge', 'thread_split'], why: 'It moves what was said to another conversation.' },
    { operations: ['answer_send', 'identity_activate'], why: 'It is a wire act itself.' },
    {
      operations: ['identity_test', 'domain_check'],
      why: 'It writes down what was found by asking outside.',
    },
    {
      operations: ['workflow_activate', 'workflow_deactivate'],
      why: 'Activating asks for the wire of every step that needs it, and deactivating only ends runs.',
    },
    {
      operations: ['send_resolve', 'sends_resolve'],
      why: 'It says what became of a letter whose sending broke off.',
    },
    {
      operations: ['send_resend'],
      why: 'It sends a letter that failed again, as it was, through all of its gates.',
    },
    { operations: ['sample_create', 'sample_delete'], why: 'Sample data never leaves.' },
    {
      operations: ['people_import', 'import_rollback'],
      tables: ['person_addresses', 'companies', 'suppressions'],
      why: 'It gives a first address only to somebody without one, makes companies that are not there, and adds suppressions.',
    },
    {
      operations: ['import_rollback'],
      tables: ['prospects', 'sends'],
      why: 'It takes people out of campaigns that never started, with the people themselves, and none for whom a letter was written.',
    },
    {
      operations: [
        'person_update',
        'person_merge',
        'suppression_lift',
        'campaign_update',
        'campaign_activate',
        'campaign_review_policy',
        'campaign_no_human_review',
        'campaign_pool',
        'sequence_save',
        'outreach_verify',
      ],
      tables: ['sends', 'attachments'],
      why: 'It has letters made anew, looked at again or sent back to review, as the list says, or moves what went.',
    },
    {
      operations: ['send_approve', 'sends_approve'],
      tables: ['prospects'],
      why: 'Whoever approves a letter and may enrol confirms its address.',
    },
    { operations: ['domain_resume'], tables: ['identities'], why: 'Its senders begin slowly again.' },
    {
      operations: ['company_create', 'company_update', 'company_delete'],
      tables: ['people', 'companies'],
      why: 'It writes what people are found by.',
    },
  ];
