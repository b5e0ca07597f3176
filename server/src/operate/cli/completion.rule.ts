/** An option of a command. */
interface CompletedOption {
  readonly flags: readonly string[];
  readonly takesValue: boolean;
  /** Its possible values; empty if any text will do. */
  readonly choices: readonly string[];
}

/** A command, as far as completion needs it. */
export interface CompletedCommand {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly options: readonly CompletedOption[];
  /** Possible values of its arguments. */
  readonly choices: readonly string[];
  /** True if an argument of it may be any text, such as the name of a file. */
  readonly takesText: boolean;
  readonly commands: readonly CompletedCommand[];
}

/** Places of the command line, such as `/review/list`, with what is possible there. */
interface CompletionTables {
  /** Words that lead from a place to another. */
  readonly steps: readonly { readonly at: string; readonly word: string; readonly to: string }[];
  /** Options that take a value. */
  readonly values: readonly { readonly at: string; readonly flag: string; readonly choices: readonly string[] }[];
  readonly words: readonly { readonly at: string; readonly words: readonly string[]; readonly takesText: boolean }[];
}

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** Lists the places of a command. Every place takes the options of the program, too. */
const listPlaces = (
  command: CompletedCommand,
  at: string,
  common: readonly CompletedOption[],
): readonly CompletionTables[] => {
  const options = [...command.options, ...common];
  const own: CompletionTables = {
    steps: command.commands.flatMap(({ name, aliases }) =>
      [name, ...aliases].map((word) => ({ at, word, to: `${at}/${name}` })),
    ),
    values: options.flatMap(({ flags, takesValue, choices }) =>
      takesValue ? flags.map((flag) => ({ at, flag, choices })) : [],
    ),
    words: [
      {
        at,
        takesText: command.takesText,
        words: [
          ...command.commands.map(({ name }) => name),
          ...command.choices,
          ...new Set(options.flatMap(({ flags }) => flags)),
        ],
      },
    ],
  };
  return [own, ...command.commands.flatMap((sub) => listPlaces(sub, `${at}/${sub.name}`, common))];
};

const toTables = (program: CompletedCommand): CompletionTables => {
  const places = listPlaces({ ...program, options: [] }, '', program.options);
  return {
    steps: places.flatMap(({ steps }) => steps),
    values: places.flatMap(({ values }) => values),
    words: places.flatMap(({ words }) => words),
  };
};

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const toList = (words: readonly string[]): string => quote(words.join(' '));

const writeBash = (name: string, { steps, values, words }: CompletionTables): string => {
  const step = steps.map(({ at, word, to }) => `      ${quote(`${at} ${word}`)}) at=${quote(to)} ;;`);
  const taken = values.map(({ at, flag }) => quote(`${at} ${flag}`)).join('|');
  const chosen = values
    .filter(({ choices }) => choices.length > 0)
    .map(({ at, flag, choices }) => `    ${quote(`${at} ${flag}`)}) words=${toList(choices)} ;;`);
  const offered = words.map((place) => `        ${quote(place.at)}) words=${toList(place.words)} ;;`);
  const func = `_${name.replaceAll('-', '_')}`;
  return `${func}() {
  local at='' words='' word i previous=\${COMP_WORDS[COMP_CWORD-1]} current=\${COMP_WORDS[COMP_CWORD]}
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case "$at $word" in
      ${taken}) [[ \${COMP_WORDS[i+1]} == '=' ]] && ((i++)); ((i++)) ;;
${step.join('\n')}
    esac
  done
  if [[ $current == '=' ]]; then current=''
  elif [[ $previous == '=' ]]; then previous=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  case "$at $previous" in
${chosen.join('\n')}
    ${taken}) COMPREPLY=($(compgen -f -- "$current")); return ;;
    *)
      case "$at" in
${offered.join('\n')}
      esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F ${func} ${name}
`;
};

const writeFish = (name: string, { steps, values, words }: CompletionTables): string => {
  const step = steps.map(({ at, word, to }) => `      case ${quote(`${at} ${word}`)}\n        set at ${quote(to)}`);
  const taken = values.map(({ at, flag }) => quote(`${at} ${flag}`)).join(' ');
  const toCase = (pattern: string, offered: readonly string[]) =>
    `    case ${pattern}\n      printf '%s\\n' ${offered.map(quote).join(' ')}`;
  const chosen = values
    .filter(({ choices }) => choices.length > 0)
    .map(({ at, flag, choices }) => toCase(quote(`${at} ${flag}`), choices));
  const files = words.filter(({ takesText }) => takesText).map(({ at }) => quote(at));
  const offered = words.map((place) => toCase(quote(place.at), place.words));
  const func = `__${name.replaceAll('-', '_')}_complete`;
  return `function ${func}
  set -l at ''
  set -l previous ''
  for word in (commandline -opc)[2..-1]
    if contains -- "$at $previous" ${taken}
      set previous ''
      continue
    end
    set previous $word
    switch "$at $word"
${step.join('\n')}
    end
  end
  switch "$at $previous"
${chosen.join('\n')}
    case ${taken}
      __fish_complete_path (commandline -ct)
    case '*'
      switch "$at"
${offered.join('\n').replaceAll(/^/gm, '    ')}
      end
      if contains -- "$at" ${files.join(' ')}; and not string match -q -- '-*' (commandline -ct)
        __fish_complete_path (commandline -ct)
      end
  end
end
complete -c ${name} -f -a '(${func})'
`;
};

/** zsh completes by functions for bash once it is told to. */
const ZSH_SETUP = `(( $+functions[compdef] )) || { autoload -U compinit && compinit }
autoload -U +X bashcompinit && bashcompinit`;

/** Returns the script that a shell reads to complete the commands of a program. */
export const writeCompletion = (shell: Shell, program: CompletedCommand): string => {
  const tables = toTables(program);
  if (shell === 'fish') return writeFish(program.name, tables);
  const bash = writeBash(program.name, tables);
  return shell === 'bash' ? bash : `${ZSH_SETUP}\n${bash}`;
};
