/** Name, latitude and longitude from general knowledge, to some hundred metres. The roads between them are made up. */
export const junctions = `
oranienburg-cross 52.6920 13.2250 | birkenwerder 52.6860 13.2850 | muehlenbeck 52.6740 13.3900 | pankow-fork 52.6690 13.4440
barnim-fork 52.6400 13.5450 | hohenschoenhausen-exit 52.6150 13.5950 | marzahn-exit 52.5480 13.6740 | hellersdorf-exit 52.5250 13.6980
ruedersdorf 52.4700 13.7990 | erkner-exit 52.4300 13.7930 | freienbrink 52.3880 13.8200 | spreeau-fork 52.3560 13.8500
kw-exit 52.3090 13.6600 | schoenefeld-cross 52.3260 13.5620 | rangsdorf-exit 52.3010 13.4400 | ludwigsfelde-east 52.3160 13.2950
ludwigsfelde-west 52.3120 13.2200 | nuthetal-fork 52.3390 13.1060 | michendorf-exit 52.3240 13.0230 | ferch-exit 52.3010 12.9600
potsdam-fork 52.2990 12.9020 | glindow-exit 52.3470 12.9000 | werder-fork 52.3940 12.8300 | potsdam-north 52.4720 12.9300
spandau-exit 52.5380 12.9620 | brieselang-exit 52.5790 12.9870 | falkensee-exit 52.6070 13.0120 | havelland-fork 52.6750 13.0690
oberkraemer 52.6900 13.1320
charlottenburg-fork 52.5330 13.2860 | kaiserdamm-exit 52.5120 13.2840 | funkturm-fork 52.5010 13.2830 | schmargendorf 52.4800 13.3080
schoeneberg-cross 52.4730 13.3500 | tempelhofer-damm 52.4640 13.3850 | britz-west 52.4560 13.4180 | neukoelln-fork 52.4620 13.4480
sonnenallee-end 52.4760 13.4640 | seestrasse 52.5390 13.3460 | saatwinkler 52.5420 13.2950 | tegel-tunnel 52.5520 13.3050
holzhauser 52.5760 13.3060 | waidmannslust 52.5950 13.2970 | schulzendorf 52.6140 13.2500 | stolpe 52.6530 13.2380
spaethstrasse 52.4480 13.4680 | adlershof-exit 52.4240 13.5120 | schoenefeld-north 52.3980 13.5230 | ber-exit 52.3760 13.5380
waltersdorf-fork 52.3600 13.5600 | prenzlauer-prom 52.5710 13.4250 | pasewalker 52.5930 13.4330 | bucher-strasse 52.6230 13.4420
huettenweg 52.4720 13.2440 | spanische-allee 52.4380 13.1960 | zehlendorf-cross 52.4270 13.1900 | kleinmachnow-exit 52.4010 13.1720
babelsberg-exit 52.3700 13.1420
brandenburg-exit 52.3400 12.5500 | ziesar 52.2720 12.2900 | burg 52.2420 11.8600 | magdeburg-north 52.1930 11.6400
beelitz 52.2200 12.8400 | niemegk 52.0700 12.6900 | coswig 51.9200 12.4500 | dessau 51.8100 12.2600 | leipzig-north 51.4300 12.2300
teupitz 52.1300 13.6000 | luebbenau 51.8700 13.9300 | cottbus-west 51.7300 14.2800 | fuerstenwalde-exit 52.3280 14.0600
frankfurt-oder-exit 52.3160 14.4700 | bernau-north 52.6930 13.6080 | finowfurt 52.8400 13.6900 | kremmen 52.7500 12.9900 | neuruppin-exit 52.9100 12.7600
oranienburg 52.7550 13.2400 | bernau 52.6790 13.5870 | strausberg 52.5800 13.8750 | erkner 52.4230 13.7530 | fuerstenwalde 52.3600 14.0600
frankfurt-oder 52.3420 14.5400 | kw 52.2970 13.6300 | ludwigsfelde 52.3020 13.2570 | potsdam 52.3960 13.0580 | babelsberg 52.3940 13.0950
werder 52.3780 12.9350 | falkensee 52.5600 13.0910 | nauen 52.6060 12.8790 | hennigsdorf 52.6370 13.2050 | brandenburg 52.4100 12.5500
luckenwalde 52.0900 13.1700 | zossen 52.2160 13.4490 | teltow 52.4020 13.2660 | ahrensfelde 52.5750 13.5770 | eberswalde 52.8330 13.8000
grossbeeren 52.3560 13.3080 | trebbin 52.2170 13.2240 | neuruppin 52.9240 12.8020 | magdeburg 52.1310 11.6400 | cottbus 51.7570 14.3340
leipzig 51.3450 12.3750
spandau 52.5350 13.2010 | staaken 52.5380 13.1420 | dallgow 52.5410 13.0720 | siemensstadt 52.5370 13.2570 | heerstrasse 52.5080 13.2340
theo-heuss 52.5090 13.2720 | reuterplatz 52.5120 13.3220 | grosser-stern 52.5145 13.3500 | brandenburg-gate 52.5165 13.3800 | alexanderplatz 52.5215 13.4130
hauptbahnhof 52.5250 13.3690 | potsdamer-platz 52.5090 13.3740 | hallesches-tor 52.4980 13.3910 | hermannplatz 52.4870 13.4245 | kottbusser-tor 52.4990 13.4180
frankfurter-tor 52.5160 13.4540 | lichtenberg 52.5110 13.4970 | biesdorf 52.5060 13.5560 | mahlsdorf 52.5050 13.6130 | hoppegarten 52.5180 13.6700
landsberger 52.5260 13.4500 | weissenseer-weg 52.5330 13.4810 | marzahn 52.5440 13.5450 | hellersdorf 52.5370 13.6050 | weissensee 52.5550 13.4620
hohenschoenhausen 52.5660 13.5100 | ostseestrasse 52.5490 13.4280 | eberswalder 52.5410 13.4120 | bornholmer 52.5540 13.4000 | pankow 52.5670 13.4110
leopoldplatz 52.5470 13.3600 | osloer 52.5570 13.3760 | reinickendorf 52.5710 13.3600 | wittenau 52.5900 13.3300 | tegel 52.5890 13.2840
frohnau 52.6330 13.2900 | turmstrasse 52.5260 13.3420 | zoo 52.5060 13.3320 | nollendorf 52.4990 13.3540 | adenauerplatz 52.5000 13.3070
fehrbelliner 52.4900 13.3150 | innsbrucker 52.4780 13.3430 | steglitz 52.4560 13.3220 | zehlendorf 52.4340 13.2590 | wannsee 52.4210 13.1780
lichterfelde 52.4320 13.3180 | mariendorf 52.4390 13.3870 | lichtenrade 52.3960 13.4020 | luftbruecke 52.4850 13.3860 | britz 52.4440 13.4360
rudow 52.4160 13.4950 | schoenefeld 52.3900 13.5050 | ber-terminal 52.3660 13.5080 | treptow 52.4910 13.4630 | schoeneweide 52.4570 13.5100
adlershof 52.4350 13.5450 | koepenick 52.4460 13.5750 | karlshorst 52.4810 13.5260 | rummelsburg 52.4930 13.4850 | warschauer 52.5060 13.4490
ostbahnhof 52.5110 13.4340 | jannowitz 52.5150 13.4180 | rosenthaler 52.5300 13.4010 | nordbahnhof 52.5320 13.3860 | buch 52.6350 13.4900
karow 52.6100 13.4750 | gatow 52.4750 13.1700 | friedrichshagen 52.4500 13.6250 | blankenfelde 52.3400 13.4000 | kreuzberg 52.4900 13.4020
`;

/**
 * A kind of road (`road-kinds.ts`), then the junctions it leads through; "&" begins another road of that kind. A motorway's
 * number stands before its junctions.
 */
export const roads = `
motorway: A10 oranienburg-cross birkenwerder muehlenbeck pankow-fork barnim-fork hohenschoenhausen-exit marzahn-exit hellersdorf-exit ruedersdorf erkner-exit freienbrink spreeau-fork kw-exit schoenefeld-cross rangsdorf-exit ludwigsfelde-east ludwigsfelde-west nuthetal-fork michendorf-exit ferch-exit potsdam-fork glindow-exit werder-fork potsdam-north spandau-exit brieselang-exit falkensee-exit havelland-fork oberkraemer oranienburg-cross
motorway: A2 werder-fork brandenburg-exit ziesar burg magdeburg-north & A9 potsdam-fork beelitz niemegk coswig dessau leipzig-north & A13 schoenefeld-cross teupitz luebbenau & A15 luebbenau cottbus-west
motorway: A12 spreeau-fork fuerstenwalde-exit frankfurt-oder-exit & A11 barnim-fork bernau-north finowfurt & A24 havelland-fork kremmen neuruppin-exit
motorway: A111 schulzendorf stolpe oranienburg-cross & A114 pasewalker bucher-strasse pankow-fork & A113 waltersdorf-fork schoenefeld-cross & A115 zehlendorf-cross kleinmachnow-exit babelsberg-exit nuthetal-fork
urban-motorway: A100 seestrasse saatwinkler charlottenburg-fork kaiserdamm-exit funkturm-fork schmargendorf schoeneberg-cross tempelhofer-damm britz-west
motorway-tunnel: A100 britz-west neukoelln-fork & A111 saatwinkler tegel-tunnel
urban-motorway: A100 neukoelln-fork sonnenallee-end & A111 tegel-tunnel holzhauser waidmannslust schulzendorf & A113 neukoelln-fork spaethstrasse adlershof-exit schoenefeld-north ber-exit waltersdorf-fork & A114 prenzlauer-prom pasewalker & A115 funkturm-fork huettenweg spanische-allee zehlendorf-cross
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
