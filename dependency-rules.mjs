/** Who may import whom. A broken rule is an error of `pnpm verify`. */

const FEATURES = 'brokers|regulators|reviews|complaints|news|search|accounts|people|moderation|registers';
/** Files that hold pure rules, by name. */
const RULES = [
  ...['status', 'kyc', 'months', 'summary', 'fold', 'terms', 'record', 'policy', 'deadlines', 'course'],
  ...[
    'claim',
    'counts',
    'hints',
    'similarity',
    'statement',
    'words',
    'kyc-event',
    'jwt-claims',
    'duplicates',
    'signature',
    'scopes',
    'budget',
  ],
  ...['recheck', 'compare', 'firm-names', 'adapter', 'ranking', 'admission', 'standing'],
].join('|');
const tests = '\\.test\\.ts$';

const forbid = (name, comment, from, to) => ({ name, severity: 'error', comment, from, to });

export default {
  forbidden: [
    forbid('no-cycles', 'Files that import each other cannot be understood one at a time.', {}, { circular: true }),
    forbid(
      'contract-is-pure',
      'The contract is published for every runtime: zod and ts-rest only.',
      { path: '^contract/src', pathNot: tests },
      { pathNot: '^contract/src|node_modules/(zod|@ts-rest/core)/' },
    ),
    forbid(
      'client-stands-alone',
      'The client has no dependency at run time.',
      { path: '^client/src', pathNot: [tests, '^client/src/(strict\\.ts|score\\.ts|testing|cli[./])'] },
      { pathNot: '^client/src/(?!strict\\.ts|score\\.ts|testing|cli[./])' },
    ),
    forbid(
      'the-contract-is-an-optional-peer',
      'Only the entries that check answers or scores and the one for tests import it.',
      { path: '^client/src/(strict\\.ts|score\\.ts|testing)', pathNot: tests },
      { pathNot: '^(client|contract)/src|^(node:)?http$' },
    ),
    forbid(
      'the-command-line-is-a-user',
      'It costs the library nothing: it has what every user has, and what Node brings.',
      { path: '^client/src/cli[./]', pathNot: tests },
      {
        pathNot:
          '^client/src/(cli/|cli\\.ts$|(index|score|generated/version)\\.ts$)|^(node:)?(util|fs/promises|stream/consumers)$',
      },
    ),
    forbid(
      'rules-are-pure',
      'Score, states, counts and folds do no IO: they import the contract and each other.',
      { path: `^server/src/.*/(${RULES})\\.ts$` },
      {
        pathNot: `^contract/src|/(${RULES})\\.ts$|node_modules/zod/|^(node:)?crypto$`,
      },
    ),
    forbid(
      'feed-rules-are-pure',
      'What a feed says is read without IO, so that hostile text can be tried on it.',
      { path: '^server/src/news/feeds/(?!store)[^/]+\\.ts$', pathNot: tests },
      {
        pathNot:
          '^contract/src|^server/src/news/(record\\.ts$|feeds/(?!store))|node_modules/(zod|feedsmith|html-to-text)/|^(node:)?(crypto|util)$',
      },
    ),
    forbid(
      'feed-store-is-private',
      'States of feeds belong to the news.',
      { path: '^server/src/', pathNot: '^server/src/news/' },
      { path: '^server/src/news/feeds/store\\.ts$' },
    ),
    forbid(
      'stores-are-private',
      "A feature's store and view are its own: others use its actions, facts and rules.",
      { path: `^server/src/(${FEATURES})/`, pathNot: tests },
      {
        path: `^server/src/(${FEATURES})/(store|counts-store|view|routes|refresh)\\.ts$`,
        pathNot: '^server/src/$1/',
      },
    ),
    forbid(
      'http-and-platform-know-no-feature',
      'They are tools: no domain words.',
      { path: '^server/src/(http|platform|observe|audit)/', pathNot: tests },
      {
        path: `^server/src/(${FEATURES}|cli|import|demo|jobs|backup|migrations|process)/|^server/src/(app|serve|main|seed|assets|config|refresh|shown)\\.ts$`,
      },
    ),
    forbid(
      'platform-stands-below-http',
      'Vendor wrappers know nothing of requests.',
      { path: '^server/src/(platform|observe)/', pathNot: tests },
      { path: '^server/src/(http|audit)/' },
    ),
    forbid(
      'command-line-uses-actions',
      'The command line changes nothing by itself.',
      {
        path: '^server/src/(cli|import|demo|jobs|backup|migrations)/|^server/src/(seed|context)\\.ts$',
        pathNot: tests,
      },
      { path: `^server/src/(${FEATURES})/(store|view|routes)\\.ts$` },
    ),
    forbid(
      'command-line-has-no-database',
      'It has the actions; of imports only the store of their runs.',
      { path: '^server/src/(cli|import)/', pathNot: [tests, '^server/src/import/store\\.ts$'] },
      { path: 'node_modules/mongoose/' },
    ),
    forbid(
      'a-command-loads-what-it-needs',
      'Help and wrong usage start fast: only the table of commands, which loads each one when it is called.',
      { path: '^server/src/(main|cli/(program|commands|actor))\\.ts$' },
      {
        dependencyTypesNot: ['dynamic-import', 'type-only'],
        pathNot:
          '^server/src/(cli/(program|commands|actor)|config-error|version)\\.ts$|node_modules/commander/|^(node:)?(fs|module)$',
      },
    ),
    forbid(
      'the-job-library-loads-late',
      'A listing of jobs or migrations needs no job library; a command that finds a database needs none of the embedded one.',
      { path: '^server/src/', pathNot: [tests, '^server/src/platform/(jobs|embedded)/'] },
      {
        dependencyTypesNot: ['dynamic-import', 'type-only'],
        path: '^server/src/platform/(jobs/(queue|repository)|embedded/mongod)\\.ts$',
      },
    ),
    forbid(
      'tests-stay-outside',
      'System tests see what a user sees; only the fetching of real parts is shared.',
      { path: '^test/' },
      {
        path: '^(server|client|contract)/src',
        pathNot: '^server/src/platform/embedded/|^(contract|client)/src/(index|openapi|testing)\\.ts$',
      },
    ),
    forbid(
      'recipes-are-users',
      'What they show, a reader can write.',
      { path: '^docs/recipes/' },
      { path: '^(server|client|contract)/src', pathNot: '^client/src/(index|testing)\\.ts$' },
    ),
    forbid(
      'no-unresolved',
      'An import that leads nowhere.',
      {},
      { couldNotResolve: true, pathNot: '^@broker-transparency/' },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      conditionNames: ['@broker-transparency/source', 'import', 'node', 'default', 'types'],
      exportsFields: ['exports'],
    },
  },
};
