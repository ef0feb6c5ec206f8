// Starts `bsym lsp` and lets it talk to the editor. Everything else is done by the server.

const { commands, window, workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

/** The client of the server that runs, if one does. */
let client;

function start() {
  const settings = workspace.getConfiguration("bsym");
  const command = settings.get("path") || "bsym";
  const server = { command, args: ["lsp", "--stdio"] };
  const options = {
    documentSelector: [{ language: "b" }],
    initializationOptions: { include: settings.get("include"), check: settings.get("check") },
  };
  client = new LanguageClient("bsym", "bsym", server, options);
  return client.start().catch((error) => {
    window.showErrorMessage(`${command} cannot be started: ${error.message}. Set "bsym.path" to the program.`);
  });
}

async function stop() {
  const running = client;
  client = undefined;
  // One that never started cannot be stopped.
  await running?.stop().catch(() => undefined);
}

exports.activate = (context) => {
  const restart = async () => {
    await stop();
    await start();
  };
  context.subscriptions.push(commands.registerCommand("bsym.restart", restart));
  const changed = (event) => event.affectsConfiguration("bsym") && restart();
  context.subscriptions.push(workspace.onDidChangeConfiguration(changed));
  return start();
};

exports.deactivate = stop;
