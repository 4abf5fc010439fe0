export const signIn = {
  title: "Sign in",
  welcome: "Your vehicles on the map, your keys to the data.",
  signedOut: "You were signed out. Sign in again to go on.",
  email: "E-mail",
  password: "Password",
  signingIn: "Signing in…",
  help: "No account, or a lost password? Ask the people who run this service for you.",
};
