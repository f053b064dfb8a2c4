module.exports = {
  printWidth: 100,
  arrowParens: 'avoid',
  bracketSpacing: true,
  singleQuote: true,
  trailingComma: 'es5',
};
