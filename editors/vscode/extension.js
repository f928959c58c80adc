'use strict';
// Starts `subdrift server` and shows the places behind a code lens; everything else is the language client's.
const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;

function activate(context) {
  const settings = vscode.workspace.getConfiguration('subdrift');
  const server = { command: settings.get('command'), args: ['server', ...settings.get('arguments')] };
  const languages = ['java', 'kotlin', 'python', 'yaml', 'properties', 'spring-boot-properties', 'xml', 'toml'];
  client = new LanguageClient('subdrift', 'subdrift', server, {
    documentSelector: languages.map((language) => ({ scheme: 'file', language })),
  });
  const show = (uri, position, places) => {
    const convert = client.protocol2CodeConverter;
    return vscode.commands.executeCommand(
      'editor.action.showReferences',
      vscode.Uri.parse(uri),
      convert.asPosition(position),
      places.map((place) => convert.asLocation(place)),
    );
  };
  context.subscriptions.push(vscode.commands.registerCommand('subdrift.members', show));
  return client.start();
}

function deactivate() {
  return client && client.stop();
}

module.exports = { activate, deactivate };
