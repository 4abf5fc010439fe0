/**
 * Which junctions are joined, and how. A line is the kind of road, then the junctions it leads through; "&" begins another
 * road of the same kind. Kinds and their speeds are in `road-kinds.ts`.
 */
export const roads = `
motorway: oranienburg-cross birkenwerder muehlenbeck pankow-fork barnim-fork hohenschoenhausen-exit marzahn-exit hellersdorf-exit ruedersdorf erkner-exit freienbrink spreeau-fork kw-exit schoenefeld-cross rangsdorf-exit ludwigsfelde-east ludwigsfelde-west nuthetal-fork michendorf-exit ferch-exit potsdam-fork glindow-exit werder-fork potsdam-north spandau-exit brieselang-exit falkensee-exit havelland-fork oberkraemer oranienburg-cross
motorway: werder-fork brandenburg-exit ziesar burg magdeburg-north & potsdam-fork beelitz niemegk coswig dessau leipzig-north & schoenefeld-cross teupitz luebbenau cottbus-west
motorway: spreeau-fork fuerstenwalde-exit frankfurt-oder-exit & barnim-fork bernau-north finowfurt & havelland-fork kremmen neuruppin-exit
motorway: schulzendorf stolpe oranienburg-cross & pasewalker bucher-strasse pankow-fork & waltersdorf-fork schoenefeld-cross & zehlendorf-cross kleinmachnow-exit babelsberg-exit nuthetal-fork
urban-motorway: seestrasse saatwinkler charlottenburg-fork kaiserdamm-exit funkturm-fork schmargendorf schoeneberg-cross tempelhofer-damm britz-west
motorway-tunnel: britz-west neukoelln-fork & saatwinkler tegel-tunnel
urban-motorway: neukoelln-fork sonnenallee-end & tegel-tunnel holzhauser waidmannslust schulzendorf & neukoelln-fork spaethstrasse adlershof-exit schoenefeld-north ber-exit waltersdorf-fork & prenzlauer-prom pasewalker & funkturm-fork huettenweg spanische-allee zehlendorf-cross
city-tunnel: hauptbahnhof potsdamer-platz
arterial: dallgow staaken spandau siemensstadt charlottenburg-fork & staaken heerstrasse theo-heuss kaiserdamm-exit reuterplatz grosser-stern brandenburg-gate jannowitz ostbahnhof frankfurter-tor lichtenberg biesdorf mahlsdorf hoppegarten hellersdorf-exit
arterial: seestrasse leopoldplatz osloer bornholmer ostseestrasse landsberger frankfurter-tor warschauer treptow & alexanderplatz landsberger weissenseer-weg marzahn hellersdorf & marzahn marzahn-exit
arterial: alexanderplatz eberswalder ostseestrasse prenzlauer-prom & alexanderplatz jannowitz & weissenseer-weg lichtenberg rummelsburg & ostseestrasse weissensee hohenschoenhausen ahrensfelde & weissenseer-weg hohenschoenhausen
arterial: adenauerplatz zoo nollendorf hallesches-tor kottbusser-tor warschauer & potsdamer-platz hallesches-tor luftbruecke tempelhofer-damm mariendorf lichtenrade blankenfelde rangsdorf-exit
arterial: schoeneberg-cross innsbrucker steglitz zehlendorf zehlendorf-cross & schmargendorf fehrbelliner adenauerplatz reuterplatz & innsbrucker nollendorf potsdamer-platz brandenburg-gate
arterial: hermannplatz kottbusser-tor jannowitz & hermannplatz neukoelln-fork & hermannplatz luftbruecke & hermannplatz treptow rummelsburg karlshorst koepenick & treptow schoeneweide adlershof schoenefeld-north & schoeneweide koepenick & spaethstrasse schoeneweide
arterial: britz-west britz rudow schoenefeld & schoenefeld schoenefeld-north & schoenefeld ber-terminal ber-exit & hauptbahnhof turmstrasse reuterplatz & turmstrasse seestrasse & hauptbahnhof nordbahnhof rosenthaler alexanderplatz & leopoldplatz nordbahnhof
arterial: holzhauser tegel schulzendorf & osloer reinickendorf wittenau waidmannslust & zehlendorf wannsee spanische-allee & spandau tegel & wittenau frohnau
street: bornholmer pankow prenzlauer-prom & eberswalder rosenthaler & pankow reinickendorf & grosser-stern turmstrasse & grosser-stern nollendorf & brandenburg-gate hauptbahnhof & zoo reuterplatz & zoo fehrbelliner & kreuzberg hallesches-tor & kreuzberg kottbusser-tor & kreuzberg luftbruecke & steglitz lichterfelde mariendorf britz
street: lichterfelde teltow & theo-heuss funkturm-fork & weissensee landsberger & karlshorst lichtenberg & karlshorst biesdorf & biesdorf marzahn & mahlsdorf hellersdorf & koepenick friedrichshagen & koepenick adlershof & karow pasewalker & karow buch bucher-strasse & karow hohenschoenhausen & spandau gatow & ostbahnhof warschauer
country: gatow potsdam-north & wannsee babelsberg potsdam werder glindow-exit & babelsberg babelsberg-exit & potsdam michendorf-exit & potsdam potsdam-north & dallgow falkensee falkensee-exit & dallgow spandau-exit nauen & brieselang-exit nauen & falkensee spandau
country: hennigsdorf stolpe & hennigsdorf schulzendorf & oranienburg oranienburg-cross & oranienburg birkenwerder frohnau & ahrensfelde hohenschoenhausen-exit & ahrensfelde marzahn & bernau bernau-north & bernau barnim-fork & buch bernau & strausberg hoppegarten & strausberg ruedersdorf & erkner erkner-exit & erkner friedrichshagen & erkner freienbrink
country: fuerstenwalde fuerstenwalde-exit & fuerstenwalde erkner & frankfurt-oder frankfurt-oder-exit & kw kw-exit & kw waltersdorf-fork & kw zossen & zossen rangsdorf-exit & zossen luckenwalde trebbin ludwigsfelde & zossen trebbin & ludwigsfelde ludwigsfelde-east & ludwigsfelde ludwigsfelde-west & teltow kleinmachnow-exit & teltow grossbeeren ludwigsfelde-east & grossbeeren lichtenrade & teltow zehlendorf
country: brandenburg brandenburg-exit & brandenburg werder & nauen brandenburg & eberswalde finowfurt & eberswalde bernau-north & neuruppin neuruppin-exit & magdeburg magdeburg-north & cottbus cottbus-west & leipzig leipzig-north & beelitz michendorf-exit & luckenwalde beelitz
`;
