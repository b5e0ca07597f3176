/** The mood of a reviewer. */
export const MOODS = ['good', 'mixed', 'bad'] as const;
export type Mood = (typeof MOODS)[number];

interface Phrases {
  readonly titles: readonly string[];
  readonly sentences: readonly string[];
}
export interface PhraseSet extends Readonly<Record<Mood, Phrases>> {
  /** The separator between two sentences. */
  readonly space: string;
  /** The reply of a broker to each mood. */
  readonly replies: Readonly<Record<Mood, string>>;
}

const en: PhraseSet = {
  space: ' ',
  good: {
    titles: [
      'Withdrawals arrive in {days} days',
      'Fair and quick',
      'Tight spreads on {pair}',
      'Support that answers',
      'Solid for {months} months now',
      'Does what it says',
      'Good platform, clear fees',
      'I would open it again',
    ],
    sentences: [
      'I withdrew three times this year, and each time the money was there after {days} days.',
      'The spread on {pair} is close to what they advertise, also around the news.',
      'Support answered my question about margin within {minutes} minutes.',
      'Opening the account took {days} days, documents included.',
      'I have traded here for {months} months without a single requote.',
      'Fees are on one page, and my statements match them.',
      'The app has not crashed on me once.',
      'They refused to raise my leverage after the suitability test, which I think is right.',
      'Orders on {pair} fill where I expect them, with slippage in both directions.',
      'When a deposit went missing, they found it in {days} days and kept me informed.',
    ],
  },
  mixed: {
    titles: [
      'Good platform, slow support',
      'Fine, with reservations',
      'All right for {pair}',
      'Could be better',
      'Mixed after {months} months',
      'Average',
      'Some things work, some do not',
    ],
    sentences: [
      'Trading itself works, but support took {days} days to answer.',
      'Spreads on {pair} are fine by day and very wide at night.',
      'The withdrawal came, although only after {days} days and two reminders.',
      'The platform is good on a desktop and clumsy on a phone.',
      'There is a fee for inactivity that I only saw after {months} months.',
      'Verification asked for the same document twice.',
      'Swap rates are higher than elsewhere, so I only trade within the day.',
      'Their explanations are clear, the charts are not.',
      'After {months} months I still use it, but only for {pair}.',
    ],
  },
  bad: {
    titles: [
      'Still waiting after {days} days',
      'Stops filled far away',
      'Nobody answers',
      'Hidden fees',
      'Not again',
      'Pressed to deposit more',
      'Spreads far from what is shown',
    ],
    sentences: [
      'My withdrawal has been "in review" for {days} days.',
      'I was called {days} times in a week and asked to deposit more.',
      'My stop on {pair} was filled far below any price I can find elsewhere.',
      'Support closes the ticket without an answer.',
      'A bonus that I never asked for now blocks my withdrawal.',
      'The platform went down for {minutes} minutes while I had positions open.',
      'The account terms changed after I had deposited.',
      'They asked for new documents each time I wanted my money.',
      'After {months} months I closed the account.',
    ],
  },
  replies: {
    good: 'Thank you for taking the time. We are glad that it works for you.',
    mixed: 'Thank you for the open words. We have passed the points you name to the team.',
    bad: 'We are sorry to read this. Please write to our complaints team, so that we can look at your case.',
  },
};

const de: PhraseSet = {
  space: ' ',
  good: {
    titles: ['Auszahlung in {days} Tagen', 'Faire Gebühren', 'Seit {months} Monaten zufrieden', 'Guter Support'],
    sentences: [
      'Meine Auszahlungen waren jedes Mal nach {days} Tagen auf dem Konto.',
      'Der Spread bei {pair} entspricht dem, was auf der Website steht.',
      'Der Support hat in {minutes} Minuten geantwortet, und zwar verständlich.',
      'Die Kontoeröffnung dauerte {days} Tage.',
      'Alle Gebühren stehen auf einer Seite, und die Abrechnung stimmt damit überein.',
      'Seit {months} Monaten handle ich hier ohne Requotes.',
    ],
  },
  mixed: {
    titles: ['Ganz ordentlich', 'Plattform gut, Support langsam', 'Mit Abstrichen in Ordnung'],
    sentences: [
      'Der Handel klappt, aber auf eine Antwort wartete ich {days} Tage.',
      'Tagsüber ist der Spread bei {pair} gut, nachts sehr weit.',
      'Die App wirkt gegenüber der Desktop-Version unfertig.',
      'Die Gebühr bei Inaktivität fiel mir erst nach {months} Monaten auf.',
      'Für {pair} nutze ich das Konto weiter, für anderes nicht.',
    ],
  },
  bad: {
    titles: ['Warte seit {days} Tagen auf mein Geld', 'Keine Antwort', 'Nicht zu empfehlen'],
    sentences: [
      'Meine Auszahlung ist seit {days} Tagen „in Prüfung“.',
      'Mein Stop bei {pair} wurde weit unter dem Kurs ausgeführt.',
      'Der Support schließt Anfragen ohne Antwort.',
      'Man rief mich mehrmals an, damit ich mehr einzahle.',
      'Nach {months} Monaten habe ich das Konto aufgelöst.',
    ],
  },
  replies: {
    good: 'Vielen Dank für Ihre Bewertung. Wir freuen uns, dass Sie zufrieden sind.',
    mixed: 'Vielen Dank für die offenen Worte. Wir haben Ihre Hinweise weitergegeben.',
    bad: 'Das tut uns leid. Bitte wenden Sie sich an unsere Beschwerdestelle, damit wir den Fall prüfen können.',
  },
};

const es: PhraseSet = {
  space: ' ',
  good: {
    titles: ['Retiros en {days} días', 'Comisiones claras', 'Muy contento tras {months} meses', 'Buena atención'],
    sentences: [
      'He retirado varias veces y el dinero llegó siempre en {days} días.',
      'El spread en {pair} es el que anuncian.',
      'La atención al cliente respondió en {minutes} minutos.',
      'Abrir la cuenta llevó {days} días, con documentos incluidos.',
      'Llevo {months} meses operando aquí sin problemas.',
    ],
  },
  mixed: {
    titles: ['Correcto, sin más', 'Buena plataforma, soporte lento', 'Se puede mejorar'],
    sentences: [
      'Operar funciona bien, pero la respuesta tardó {days} días.',
      'De noche el spread en {pair} se amplía demasiado.',
      'La aplicación móvil es bastante incómoda.',
      'No vi la comisión por inactividad hasta pasados {months} meses.',
    ],
  },
  bad: {
    titles: ['Llevo {days} días esperando', 'Nadie responde', 'No lo recomiendo'],
    sentences: [
      'Mi retiro lleva {days} días “en revisión”.',
      'El stop en {pair} se ejecutó muy lejos del precio.',
      'Me llamaron varias veces para que depositara más.',
      'Cada vez que pido mi dinero me exigen otro documento.',
    ],
  },
  replies: {
    good: 'Gracias por su opinión. Nos alegra que esté satisfecho.',
    mixed: 'Gracias por su sinceridad. Hemos trasladado sus comentarios al equipo.',
    bad: 'Lo sentimos. Escriba a nuestro departamento de reclamaciones para que revisemos su caso.',
  },
};

const fr: PhraseSet = {
  space: ' ',
  good: {
    titles: ['Retraits en {days} jours', 'Des frais clairs', 'Satisfait après {months} mois', 'Support réactif'],
    sentences: [
      'J’ai fait plusieurs retraits, et l’argent est arrivé chaque fois en {days} jours.',
      'Le spread sur {pair} correspond à ce qui est annoncé.',
      'Le support a répondu en {minutes} minutes.',
      'L’ouverture du compte a pris {days} jours.',
      'Je trade ici depuis {months} mois sans aucun souci.',
    ],
  },
  mixed: {
    titles: ['Correct, sans plus', 'Bonne plateforme, support lent', 'Avis partagé'],
    sentences: [
      'Les ordres passent bien, mais la réponse du support a pris {days} jours.',
      'La nuit, le spread sur {pair} s’élargit beaucoup.',
      'L’application mobile mériterait d’être revue.',
      'Je n’ai découvert les frais d’inactivité qu’après {months} mois.',
    ],
  },
  bad: {
    titles: ['J’attends depuis {days} jours', 'Aucune réponse', 'Je ne recommande pas'],
    sentences: [
      'Mon retrait est « en cours d’examen » depuis {days} jours.',
      'Mon stop sur {pair} a été exécuté très loin du prix.',
      'On m’a appelé plusieurs fois pour que je dépose davantage.',
      'À chaque retrait, on me demande un nouveau document.',
    ],
  },
  replies: {
    good: 'Merci pour votre avis. Nous sommes ravis que vous soyez satisfait.',
    mixed: 'Merci pour votre franchise. Nous avons transmis vos remarques à l’équipe.',
    bad:
      'Nous sommes désolés. Merci d’écrire à notre service des réclamations, afin que nous examinions votre ' +
      'dossier.',
  },
};

const pt: PhraseSet = {
  space: ' ',
  good: {
    titles: ['Levantamentos em {days} dias', 'Taxas claras', 'Contente ao fim de {months} meses'],
    sentences: [
      'Retirei dinheiro várias vezes e chegou sempre em {days} dias.',
      'O spread em {pair} é o que anunciam.',
      'O apoio ao cliente respondeu em {minutes} minutos.',
      'Negocio aqui há {months} meses sem problemas.',
    ],
  },
  mixed: {
    titles: ['Razoável', 'Boa plataforma, apoio lento', 'Podia ser melhor'],
    sentences: [
      'Negociar funciona bem, mas a resposta demorou {days} dias.',
      'À noite o spread em {pair} aumenta muito.',
      'A aplicação para o telemóvel é pouco prática.',
      'Só reparei na taxa de inatividade ao fim de {months} meses.',
    ],
  },
  bad: {
    titles: ['À espera há {days} dias', 'Ninguém responde', 'Não recomendo'],
    sentences: [
      'O meu pedido de retirada está “em análise” há {days} dias.',
      'O stop em {pair} foi executado muito longe do preço.',
      'Ligaram-me várias vezes para eu depositar mais.',
      'Pedem sempre mais um documento antes de pagar.',
    ],
  },
  replies: {
    good: 'Obrigado pela sua opinião. Ficamos contentes por estar satisfeito.',
    mixed: 'Obrigado pela franqueza. Passámos os seus comentários à equipa.',
    bad: 'Lamentamos. Escreva, por favor, ao nosso serviço de reclamações, para que possamos analisar o caso.',
  },
};

const ptBR: PhraseSet = {
  space: ' ',
  good: {
    titles: ['Saques em {days} dias', 'Taxas claras', 'Satisfeito depois de {months} meses'],
    sentences: [
      'Fiz vários saques e o dinheiro sempre chegou em {days} dias.',
      'O spread em {pair} é o que eles anunciam.',
      'O suporte respondeu em {minutes} minutos.',
      'Opero aqui há {months} meses sem problemas.',
    ],
  },
  mixed: {
    titles: ['Razoável', 'Boa plataforma, suporte lento', 'Pode melhorar'],
    sentences: [
      'Operar funciona bem, mas o suporte levou {days} dias para responder.',
      'De noite o spread em {pair} aumenta demais.',
      'O aplicativo no celular trava de vez em quando.',
      'Só percebi a taxa de inatividade depois de {months} meses.',
    ],
  },
  bad: {
    titles: ['Esperando há {days} dias', 'Ninguém responde', 'Não recomendo'],
    sentences: [
      'Meu saque está “em análise” há {days} dias.',
      'Meu stop em {pair} foi executado muito longe do preço.',
      'Me ligaram várias vezes para eu depositar mais.',
      'Sempre pedem mais um documento antes de pagar.',
    ],
  },
  replies: {
    good: 'Obrigado pela avaliação. Ficamos felizes que esteja satisfeito.',
    mixed: 'Obrigado pela sinceridade. Repassamos seus comentários à equipe.',
    bad: 'Sentimos muito. Por favor, escreva para a nossa ouvidoria, para que possamos analisar o caso.',
  },
};

const it: PhraseSet = {
  space: ' ',
  good: {
    titles: ['Prelievi in {days} giorni', 'Costi chiari', 'Soddisfatto dopo {months} mesi'],
    sentences: [
      'Ho prelevato più volte e i soldi sono sempre arrivati in {days} giorni.',
      'Lo spread su {pair} è quello pubblicizzato.',
      'L’assistenza ha risposto in {minutes} minuti.',
      'Opero qui da {months} mesi senza problemi.',
    ],
  },
  mixed: {
    titles: ['Nella media', 'Buona piattaforma, assistenza lenta', 'Si può migliorare'],
    sentences: [
      'Gli ordini funzionano, ma per una risposta ho atteso {days} giorni.',
      'Di notte lo spread su {pair} si allarga molto.',
      'L’app per il telefono è piuttosto scomoda.',
      'Ho scoperto il costo di inattività solo dopo {months} mesi.',
    ],
  },
  bad: {
    titles: ['Aspetto da {days} giorni', 'Nessuno risponde', 'Non lo consiglio'],
    sentences: [
      'Il mio prelievo è “in verifica” da {days} giorni.',
      'Lo stop su {pair} è stato eseguito molto lontano dal prezzo.',
      'Mi hanno chiamato più volte perché versassi altro denaro.',
      'A ogni prelievo chiedono un nuovo documento.',
    ],
  },
  replies: {
    good: 'Grazie per la recensione. Siamo lieti che sia soddisfatto.',
    mixed: 'Grazie per la franchezza. Abbiamo inoltrato le sue osservazioni al team.',
    bad: 'Ci dispiace. Scriva al nostro ufficio reclami, così possiamo esaminare il suo caso.',
  },
};

const ja: PhraseSet = {
  space: '',
  good: {
    titles: ['出金は{days}日で完了', '手数料が分かりやすい', '{months}か月使って満足'],
    sentences: [
      '何度か出金しましたが、毎回{days}日以内に着金しました。',
      '{pair}のスプレッドは表示どおりです。',
      'サポートに問い合わせたところ、{minutes}分ほどで返信をくれました。',
      '{months}か月取引していますが、約定に不満はありません。',
    ],
  },
  mixed: {
    titles: ['可もなく不可もなく', '取引は良いがサポートが遅い', '改善の余地あり'],
    sentences: [
      '取引自体は問題ありませんが、返信まで{days}日かかりました。',
      '夜間は{pair}のスプレッドがかなり広がります。',
      'スマートフォンのアプリは少し使いにくいです。',
      '口座維持手数料に気付いたのは{months}か月後でした。',
    ],
  },
  bad: {
    titles: ['{days}日待っても出金されない', '返信がない', 'おすすめしません'],
    sentences: [
      '出金申請が{days}日前から「審査中」のまま変わりません。',
      '{pair}の逆指値が表示価格から大きく離れて約定しました。',
      '追加入金を求める電話が何度もかかってきました。',
      '出金を申請するたびに新しい書類を求められます。',
    ],
  },
  replies: {
    good: 'ご評価いただきありがとうございます。今後ともよろしくお願いいたします。',
    mixed: '率直なご意見をありがとうございます。担当部署に共有いたしました。',
    bad: 'ご不便をおかけし申し訳ございません。苦情窓口までご連絡ください。',
  },
};

const nl: PhraseSet = {
  space: ' ',
  good: {
    titles: ['Opname binnen {days} dagen', 'Duidelijke kosten', 'Al {months} maanden tevreden'],
    sentences: [
      'Ik heb meermaals geld opgenomen en het stond er steeds binnen {days} dagen.',
      'De spread op {pair} klopt met wat ze adverteren.',
      'De klantenservice antwoordde binnen {minutes} minuten.',
      'Ik handel hier al {months} maanden zonder problemen.',
    ],
  },
  mixed: {
    titles: ['Redelijk', 'Goed platform, trage service', 'Kan beter'],
    sentences: [
      'Het handelen gaat goed, maar op antwoord wachtte ik {days} dagen.',
      'In de nacht wordt de spread op {pair} erg breed.',
      'De app is onhandig op een klein scherm.',
      'De kosten bij inactiviteit zag ik pas na {months} maanden.',
    ],
  },
  bad: {
    titles: ['Al {days} dagen aan het wachten', 'Geen antwoord', 'Niet aan te raden'],
    sentences: [
      'Mijn opname staat al {days} dagen „in behandeling”.',
      'Mijn stop op {pair} werd ver van de koers uitgevoerd.',
      'Ik werd meermaals gebeld om meer te storten.',
      'Bij elke opname vragen ze weer een nieuw document.',
    ],
  },
  replies: {
    good: 'Dank u voor uw beoordeling. Fijn dat u tevreden bent.',
    mixed: 'Dank u voor uw openheid. We hebben uw opmerkingen doorgegeven.',
    bad: 'Dat spijt ons. Neem contact op met onze klachtendienst, dan kijken we naar uw zaak.',
  },
};

export const TONGUES: Readonly<Record<string, PhraseSet>> = { en, de, es, fr, pt, 'pt-BR': ptBR, it, ja, nl };
