export const signIn = {
  title: "Sign in",
  welcome: "Your vehicles on the map, your keys to the data.",
  signedOut: "You were signed out. Sign in again to go on.",
  email: "E-mail",
  password: "Password",
  signingIn: "Signing in…",
  help: "No account, or a lost password? Ask the people who run this service for you.",
  or: "or",
  with: (name: string) => `Sign in with ${name}`,
  noAccount: "This server has no account yet",
  noAccountText:
    "Whoever started the server has a link to create one. It was printed when the server started, or is in the file setup-link of its data directory. Open that link.",
};
