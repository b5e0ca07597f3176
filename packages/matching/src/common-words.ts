/** Words of the trade. Two firms that share no other word are unrelated. */
export const TRADE_WORDS: ReadonlySet<string> = new Set(
  (
    'the and of for de do da di du la le el y und et group grupo gruppe holding holdings global international worldwide ' +
    'markets market trading trade trader traders capital fx forex finance financial finances invest investing investment ' +
    'investments investor investors securities security broker brokers broking brokerage bank banking asset assets ' +
    'management managers advisory advisors advisers consulting partners partner services service solutions systems ' +
    'online digital pro prime plus first royal star one option options futures commodities derivatives crypto exchange ' +
    'wealth fund funds private public direct premier premium ventures venture enterprise enterprises technologies ' +
    'technology tech web app club center centre house network networks net com stock stocks share shares cfd cfds ' +
    'currency currencies money gold union intermediation valores titulos corretora cambio kapital finanz finans finanse'
  ).split(' '),
);

/** Abbreviations with their full forms. */
export const ABBREVIATIONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    intl: 'international',
    internat: 'international',
    int: 'international',
    mkts: 'markets',
    mkt: 'market',
    fin: 'financial',
    fincl: 'financial',
    finl: 'financial',
    svcs: 'services',
    svc: 'services',
    serv: 'services',
    servs: 'services',
    mgmt: 'management',
    mgt: 'management',
    mngmt: 'management',
    inv: 'investments',
    invs: 'investments',
    invest: 'investments',
    invmt: 'investment',
    invmts: 'investments',
    sec: 'securities',
    secs: 'securities',
    cap: 'capital',
    grp: 'group',
    gp: 'group',
    hldgs: 'holdings',
    hldg: 'holding',
    hlds: 'holdings',
    bros: 'brothers',
    assoc: 'associates',
    assocs: 'associates',
    tech: 'technologies',
    techs: 'technologies',
    sols: 'solutions',
    ptnrs: 'partners',
    ptrs: 'partners',
    exch: 'exchange',
    brok: 'brokers',
    brks: 'brokers',
    fx: 'forex',
    st: 'saint',
    '1st': 'first',
    glob: 'global',
    gbl: 'global',
    nat: 'national',
    natl: 'national',
    trad: 'trading',
    trdg: 'trading',
    wlth: 'wealth',
    adv: 'advisors',
    advisers: 'advisors',
  }),
);

/** Words without meaning in a name. */
export const FILLERS: ReadonlySet<string> = new Set(['the', 'and', 'und', 'et', 'y', 'e', 'i', 'og', 'och']);
