// Lints scripts with ESLint: node lint.mjs LINTER RULES GLOBALS SCRIPT...; the faults, one a line

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [, , linter, recommended, names, ...scripts] = process.argv;
const { Linter } = await import(pathToFileURL(linter));
const { default: { configs } } = await import(pathToFileURL(recommended));
const { default: globals } = await import(pathToFileURL(names));

const config = {
  linterOptions: { reportUnusedDisableDirectives: "error" },
  languageOptions: { globals: { ...globals.browser, ...globals.serviceworker } },
  rules: {
    ...configs.recommended.rules,
    eqeqeq: "error", "no-promise-executor-return": "error", "no-sequences": "error", "no-shadow": "error",
    "no-unused-expressions": "error", "no-var": "error", "prefer-const": "error",
    "no-unused-vars": ["error", { argsIgnorePattern: "^_" }],   // a name says what a function that does nothing takes
  },
};
for (const script of scripts) {
  for (const { line, ruleId, message } of new Linter().verify(readFileSync(script, "utf8"), config)) {
    console.log(`${script.split(/[\\/]/).pop()}:${line} ${ruleId}: ${message}`);
  }
}
