import { builtinModules } from 'node:module';
import { FEATURE_MODULES } from './server/src/features/modules.ts';

/** Who may import whom. A broken rule is an error of `pnpm verify`. */

/** Folders of the server, from the ground up. */
const FLOORS = ['platform', 'ledger', 'http', 'features', 'published', 'enterprise', 'intake', 'operate'];
/** The files that connect the folders. */
const ROOT_FILES = '^server/src/(?!version|assets)[^/]+\\.ts$';
const MODULE_FILES =
  '^server/src/modules\\.ts$|^server/src/[^/]+/modules?\\.ts$|^server/src/features/[^/]+/module\\.ts$';
const tests = '\\.test\\.ts$';

const forbid = (name, comment, from, to) => ({ name, severity: 'error', comment, from, to });

export default {
  forbidden: [
    forbid('no-cycles', 'Files that import each other cannot be understood one at a time.', {}, { circular: true }),
    forbid(
      'contract-is-pure',
      'The contract is published for every runtime: zod only. It brings what it needs of the packages beneath.',
      { path: '^contract/src', pathNot: tests },
      { pathNot: '^(contract|packages/(kernel|service-level))/src|node_modules/zod/' },
    ),
    forbid(
      'ts-rest-stands-behind-one-module',
      'Leaving ts-rest changes one module. Beside it, tests compare it with our adapter, and a peer of the benchmark uses it as its manual shows.',
      { pathNot: '^server/src/http/endpoints/rest\\.ts$|^test/(rest/rest\\.test|bench/peers/naive)\\.ts$' },
      { path: 'node_modules/@ts-rest/' },
    ),
    forbid(
      'a-methodology-never-changes',
      'The arithmetic of a version imports that of older versions only, and types: nothing that can change.',
      { path: '^contract/src/score/[^/]+/', pathNot: tests },
      { dependencyTypesNot: ['type-only'], pathNot: '^contract/src/score/[^/]+/' },
    ),
    forbid(
      'log-formats-stand-alone',
      'Browsers verify proofs with them: they need no package and no platform.',
      { path: '^packages/log/src', pathNot: tests },
      { pathNot: '^packages/log/src' },
    ),
    forbid(
      'client-stands-alone',
      'The client has no dependency at run time.',
      {
        path: '^client/src',
        pathNot: [
          tests,
          '^client/src/(strict\\.ts|score\\.ts|verify|proven|audit|enterprise|service-level|testing|cli[./])',
        ],
      },
      {
        pathNot: '^client/src/(?!strict\\.ts|score\\.ts|verify|proven|audit|enterprise|service-level|testing|cli[./])',
      },
    ),
    forbid(
      'the-contract-is-an-optional-peer',
      'Only the entries that check answers, scores or proofs and the one for tests import it.',
      {
        path: '^client/src/(strict\\.ts|score\\.ts|verify|proven|audit|enterprise|service-level|testing)',
        pathNot: tests,
      },
      { pathNot: '^(client|contract|packages/(kernel|log|service-level))/src|^(node:)?(http|crypto|fs/promises)$' },
    ),
    forbid(
      'verification-needs-no-node',
      'Browsers verify with `/verify`: no import of it leads to a module of Node. `/verify/node` has the functions that need Node.',
      { path: '^client/src/(verify\\.ts$|verify/(?!node\\.)|proven/)', pathNot: tests },
      { reachable: true, path: `^(node:)?(${builtinModules.join('|')})$` },
    ),
    forbid(
      'the-command-line-is-a-user',
      'It costs the library nothing: it has what every user has, and what Node brings.',
      { path: '^client/src/cli[./]', pathNot: tests },
      {
        pathNot:
          '^client/src/(cli/|cli\\.ts$|(index|score|verify|verify/node|enterprise|generated/version)\\.ts$)|^(node:)?(util|fs/promises|stream/consumers|v8)$',
      },
    ),
    forbid(
      'rules-are-pure',
      'Scores, states, counts and builds do no IO: they import the contract, pure packages and each other.',
      { path: '^(server|packages/tables)/src/.*\\.rule\\.ts$' },
      {
        pathNot:
          '^(contract|packages/(kernel|log|matching|service-level))/src|^packages/tables/src/(rules|unreadable-file)\\.ts$|\\.rule\\.ts$|^server/src/platform/domain-error\\.ts$|node_modules/zod/|^(node:)?(crypto|util)$',
      },
    ),
    forbid(
      'matching-is-pure',
      'It decides without IO whether two descriptions are of one firm.',
      { path: '^packages/matching/src', pathNot: tests },
      { pathNot: '^packages/matching/src|node_modules/(tldts|any-ascii|leven)/|^(node:)?url$' },
    ),
    forbid(
      'the-kernel-is-pure',
      'It runs wherever the client does. Contract, client and server bring along what they need of it.',
      { path: '^packages/kernel/src', pathNot: tests },
      { pathNot: '^packages/kernel/src' },
    ),
    forbid(
      'the-service-level-is-pure',
      'Everybody computes the same figures of the same results, wherever they run.',
      { path: '^packages/service-level/src', pathNot: tests },
      { pathNot: '^packages/(log|service-level)/src|node_modules/zod/' },
    ),
    forbid(
      'packages-know-no-product',
      'A package is useful beyond this service, or beneath it: it imports no part of it.',
      { path: '^packages/(?!portal/)' },
      { path: '^(contract|client|server|test|ops)/|^packages/portal/' },
    ),
    forbid(
      'conformance-stands-alone',
      'Developers of any language start it by npx: it has what Node brings.',
      { path: '^packages/client-conformance/src', pathNot: tests },
      { pathNot: '^packages/client-conformance/src|^(node:)?(child_process|events|net|util|zlib)$' },
    ),
    forbid(
      'feed-rules-are-pure',
      'What a feed says is read without IO, so that hostile text can be tried on it.',
      { path: '^server/src/features/news/feeds/(?!store)[^/]+\\.ts$', pathNot: tests },
      {
        pathNot:
          '^contract/src|^server/src/features/news/(record\\.rule\\.ts$|feeds/(?!store))|^server/src/platform/domain-error\\.ts$|node_modules/(zod|feedsmith|html-to-text)/|^(node:)?(crypto|util)$',
      },
    ),
    forbid(
      'feed-store-is-private',
      'States of feeds belong to the news.',
      { path: '^server/src/', pathNot: '^server/src/features/news/' },
      { path: '^server/src/features/news/feeds/store\\.ts$' },
    ),
    ...FEATURE_MODULES.map(({ name, needs = [] }) =>
      forbid(
        `${name}-imports-what-it-needs`,
        'A feature imports only the features that its module names.',
        { path: `^server/src/features/${name}/` },
        { path: `^server/src/features/(?!(${[name, ...needs].join('|')})/)[^/]+/` },
      ),
    ),
    forbid(
      'a-module-loads-late',
      'Every process and every check reads the modules: their jobs and sources load code when they are used.',
      { path: MODULE_FILES },
      {
        dependencyTypesNot: ['dynamic-import', 'type-only'],
        pathNot: `^server/src/ledger/define-module\\.ts$|^server/src/(platform|ledger)/[^.]+\\.rule\\.ts$|${MODULE_FILES}`,
      },
    ),
    forbid(
      'features-know-nothing-of-what-is-published',
      'Facts stand by themselves: what is built of them, ranked and searched reads them.',
      { path: '^server/src/features/', pathNot: tests },
      { path: '^server/src/(published|enterprise|operate)/|^server/src/(?!version)[^/]+\\.ts$' },
    ),
    forbid(
      'the-public-service-works-without-customers',
      'What customers get by an agreement is added to the service: nothing public depends on it.',
      {
        path: [
          '^server/src/(?!enterprise/|operate/|intake/|prober/|(app|modules)\\.ts$)',
          '^contract/src/(?!enterprise[./]|routes\\.ts$)',
        ],
        pathNot: tests,
      },
      { path: '^(server|contract)/src/enterprise[./]' },
    ),
    forbid(
      'only-routes-speak-http',
      'An action throws a DomainError, and HTTP has the problem for it. Answers that HTTP keeps for people are erased with them.',
      { path: '^server/src/features/', pathNot: [tests, '/routes\\.ts$'] },
      {
        dependencyTypesNot: ['type-only'],
        path: '^server/src/http/',
        pathNot: '^server/src/http/request/idempotency\\.ts$',
      },
    ),
    forbid(
      'stores-are-private',
      "A feature's store and view are its own: others use its actions, facts and rules.",
      { path: '^server/src/(?:features|published|enterprise)/([^/]+)/', pathNot: tests },
      {
        path: '^server/src/(features|published|enterprise)/[^/]+/([^/]*store|view|routes|refresh)\\.ts$',
        pathNot: '^server/src/(?:features|published|enterprise)/$1/',
      },
    ),
    forbid(
      'published-reads-facts',
      'What is published is built from what features say, not from their collections.',
      { path: '^server/src/(published|enterprise)/', pathNot: tests },
      { path: '^server/src/features/[^/]+/([^/]*store|view|routes)\\.ts$' },
    ),
    ...FLOORS.slice(0, -1).map((folder, at) =>
      forbid(
        `${folder}-imports-nothing-above-it`,
        'The folders of the server stand on floors: none imports from a floor above.',
        { path: `^server/src/${folder}/`, pathNot: tests },
        { path: [ROOT_FILES, ...FLOORS.slice(at + 1).map((above) => `^server/src/${above}/`)] },
      ),
    ),
    forbid(
      'operators-use-actions',
      'The command line, imports and jobs change nothing by themselves.',
      { path: '^server/src/(operate|intake)/', pathNot: tests },
      { path: '^server/src/(features|published|enterprise)/[^/]+/([^/]*store|view|routes)\\.ts$' },
    ),
    forbid(
      'the-status-page-stands-alone',
      'A prober makes it too, while the service and its database are away: from plain data, with the frame and the charts of the site.',
      { path: '^(server|packages/portal)/src/status[/.]', pathNot: tests },
      {
        pathNot:
          '^(contract|packages/(kernel|log|service-level))/src|^server/src/(status/|assets\\.ts$)|^packages/portal/src/(status[/.]|(alone|format|html|languages|layout|charts/figure)\\.ts$)|node_modules/zod/|^(node:)?crypto$',
      },
    ),
    forbid(
      'a-prober-is-a-caller',
      'It runs elsewhere, without a database: it knows the contract, tools of the platform that have none, and the page.',
      { path: '^server/src/prober/', pathNot: tests },
      {
        path: '^server/src/',
        pathNot:
          '^server/src/(prober/|status/|version\\.ts$|platform/(clock|domain-error|page-alone|sha256\\.rule|observe/metrics)\\.ts$|ledger/log/keys\\.ts$)',
      },
    ),
    forbid(
      'only-the-command-starts-a-prober',
      'The service knows no prober but by what it delivers.',
      { path: '^server/src/', pathNot: [tests, '^server/src/(prober/|operate/cli/probe\\.ts$)'] },
      { path: '^server/src/prober/' },
    ),
    forbid(
      'command-line-has-no-database',
      'It has the actions; of imports only the store of their runs.',
      { path: '^server/src/(operate/cli|intake/imports)/', pathNot: [tests, '^server/src/intake/imports/store\\.ts$'] },
      { path: 'node_modules/mongoose/' },
    ),
    forbid(
      'a-command-loads-what-it-needs',
      'Help and wrong usage start fast: only the table of commands, which loads each one when it is called.',
      { path: '^server/src/(main|operate/cli/(program|commands|(build|define)-command|actor|invocation))\\.ts$' },
      {
        dependencyTypesNot: ['dynamic-import', 'type-only'],
        pathNot:
          '^server/src/(operate/cli/(program|commands|(build|define)-command|actor|invocation|usage-error)|platform/(domain-error|terminal)|version)\\.ts$|node_modules/commander/|^(node:)?(fs|module|async_hooks|cluster)$',
      },
    ),
    forbid(
      'the-job-library-loads-late',
      'A listing of jobs or migrations needs no job library.',
      { path: '^server/src/', pathNot: [tests, '^server/src/platform/jobs/'] },
      {
        dependencyTypesNot: ['dynamic-import', 'type-only'],
        path: '^server/src/platform/jobs/(queue|repository)\\.ts$',
      },
    ),
    forbid(
      'tests-stay-outside',
      'System tests see what a user sees, the embeddable service included; only the fetching of real parts is shared, what processes of the record do, and the list of methodologies.',
      { path: '^test/', pathNot: '^test/((record|bench)/[a-z]+-process|support/second-methodology)\\.ts$' },
      {
        path: '^(server|client|contract)/src',
        pathNot:
          '^server/src/index\\.ts$|^(contract|client)/src/(index|openapi|testing|record|routes|score|verify|verify/node|enterprise)\\.ts$',
      },
    ),
    forbid(
      'the-site-is-a-user',
      'Pages read what everybody can read, by the published client: they know nothing of the server.',
      { path: '^packages/portal/(src|scripts)', pathNot: tests },
      {
        path: '^server/src|^contract/src/enterprise|^client/src/(enterprise|audit|service-level|testing|verify/node|cli)[./]',
      },
    ),
    forbid(
      'the-site-is-mounted-in-one-place',
      'Nothing else of the server knows how pages look; customers have one of their own, and the data of the status page are its own.',
      {
        path: '^server/src/',
        pathNot: [tests, '^server/src/(site/|(app|private-actions)\\.ts$|enterprise/(download-)?page\\.ts$)'],
      },
      { path: '^packages/portal/|^client/', pathNot: '^packages/portal/src/status\\.ts$' },
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
